package contexts

import "testing"

func TestSeed00(t *testing.T) { t.Log(Program(0, func() {})) }

func TestSeed01(t *testing.T) { t.Log(Program(1, func() {})) }

func TestSeed02(t *testing.T) { t.Log(Program(2, func() {})) }

func TestSeed03(t *testing.T) { t.Log(Program(3, func() {})) }

func TestSeed04(t *testing.T) { t.Log(Program(4, func() {})) }

func TestSeed05(t *testing.T) { t.Log(Program(5, func() {})) }

func TestSeed06(t *testing.T) { t.Log(Program(6, func() {})) }

func TestSeed07(t *testing.T) { t.Log(Program(7, func() {})) }

func TestSeed08(t *testing.T) { t.Log(Program(8, func() {})) }

func TestSeed09(t *testing.T) { t.Log(Program(9, func() {})) }

func TestSeed10(t *testing.T) { t.Log(Program(10, func() {})) }

func TestSeed11(t *testing.T) { t.Log(Program(11, func() {})) }

func TestSeed12(t *testing.T) { t.Log(Program(12, func() {})) }

func TestSeed13(t *testing.T) { t.Log(Program(13, func() {})) }

func TestSeed14(t *testing.T) { t.Log(Program(14, func() {})) }

func TestSeed15(t *testing.T) { t.Log(Program(15, func() {})) }

func TestSeed16(t *testing.T) { t.Log(Program(16, func() {})) }

func TestSeed17(t *testing.T) { t.Log(Program(17, func() {})) }

func TestSeed18(t *testing.T) { t.Log(Program(18, func() {})) }

func TestSeed19(t *testing.T) { t.Log(Program(19, func() {})) }

func TestSeed20(t *testing.T) { t.Log(Program(20, func() {})) }

func TestSeed21(t *testing.T) { t.Log(Program(21, func() {})) }

func TestSeed22(t *testing.T) { t.Log(Program(22, func() {})) }

func TestSeed23(t *testing.T) { t.Log(Program(23, func() {})) }
