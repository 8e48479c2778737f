package pair

import (
	"context"
	"testing"

	"github.com/libp2p/go-libp2p-core/crypto"
	"github.com/libp2p/go-libp2p-core/host"
	"github.com/libp2p/go-libp2p-core/network"
	"github.com/libp2p/go-libp2p-core/peer"
	"github.com/libp2p/go-libp2p-core/peerstore"
	"github.com/libp2p/go-libp2p-core/protocol"
	pubsub "github.com/libp2p/go-libp2p-pubsub"
)

// TestTopics asks for the topics while the context is canceled.
func TestTopics(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	ps, err := pubsub.NewFloodSub(ctx, hermit{}, pubsub.WithMessageSigning(false))
	if err != nil {
		t.Fatal(err)
	}
	go cancel()
	ps.GetTopics()
}

// hermit is a host without peers.
type hermit struct{ host.Host }

func (hermit) ID() peer.ID                                         { return "hermit" }
func (hermit) Peerstore() peerstore.Peerstore                      { return noPeers{} }
func (hermit) Network() network.Network                            { return noNetwork{} }
func (hermit) SetStreamHandler(protocol.ID, network.StreamHandler) {}

type noPeers struct{ peerstore.Peerstore }

func (noPeers) PrivKey(peer.ID) crypto.PrivKey { return nil }

type noNetwork struct{ network.Network }

func (noNetwork) Notify(network.Notifiee) {}
