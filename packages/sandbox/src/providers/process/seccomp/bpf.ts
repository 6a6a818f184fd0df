/** One instruction of classic BPF, as the kernel reads it: `struct sock_filter`. */
export interface Instruction {
  readonly code: number
  /** Numbers of instructions to skip when a test holds, and when it does not. */
  readonly jt: number
  readonly jf: number
  readonly k: number
}

export const opcodes = { load: 0x20, equals: 0x15, atLeast: 0x35, hasBits: 0x45, answer: 0x06 } as const

const instructionBytes = 8

/** Loads 32 bits of the call that is judged, by their offset in `struct seccomp_data`. */
export const load = (offset: number): Instruction => ({ code: opcodes.load, jt: 0, jf: 0, k: offset })

export const answer = (verdict: number): Instruction => ({ code: opcodes.answer, jt: 0, jf: 0, k: verdict })

/** Runs `then` when the loaded value passes the test, and the instructions after it when not. */
export function when(
  test: 'equals' | 'atLeast' | 'hasBits',
  k: number,
  then: readonly Instruction[],
): readonly Instruction[] {
  return [{ code: opcodes[test], jt: 0, jf: then.length, k }, ...then]
}

/** The other way round: runs `then` when the test fails. */
export function unless(
  test: 'equals' | 'atLeast' | 'hasBits',
  k: number,
  then: readonly Instruction[],
): readonly Instruction[] {
  return [{ code: opcodes[test], jt: then.length, jf: 0, k }, ...then]
}

export function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * instructionBytes)
  for (const [index, { code, jt, jf, k }] of program.entries()) {
    const at = index * instructionBytes
    bytes.writeUInt16LE(code, at)
    bytes.writeUInt8(jt, at + 2)
    bytes.writeUInt8(jf, at + 3)
    bytes.writeUInt32LE(k >>> 0, at + 4)
  }
  return bytes
}
