import { describe, expect, it } from 'vitest'
import { opcodes } from './bpf.ts'
import { forbidden, judged, missing, type Processor } from './denied-calls.ts'
import { processorOf, seccompFilter } from './filter.ts'

const architectures = { x64: 0xc000003e, arm64: 0xc00000b7, i386: 0x40000003, arm: 0x40000028 }
const verdicts: Readonly<Record<number, string>> = {
  0x7fff0000: 'allow',
  0x00050001: 'EPERM',
  0x00050026: 'ENOSYS',
  0x00050061: 'EAFNOSUPPORT',
}

/** Runs a filter as the kernel does, over the bytes that bubblewrap is given. */
function judge(filter: Buffer, data: { arch: number; call: number; args?: readonly bigint[] }): string {
  const asked = Buffer.alloc(64)
  asked.writeUInt32LE(data.call >>> 0, 0)
  asked.writeUInt32LE(data.arch >>> 0, 4)
  for (const [index, value] of (data.args ?? []).entries())
    asked.writeBigUInt64LE(BigInt.asUintN(64, value), 16 + 8 * index)
  let loaded = 0
  for (let at = 0; at < filter.length; at += 8) {
    const code = filter.readUInt16LE(at)
    const k = filter.readUInt32LE(at + 4)
    const jump = (holds: boolean) => (at += 8 * filter.readUInt8(at + (holds ? 2 : 3)))
    if (code === opcodes.load) loaded = asked.readUInt32LE(k)
    else if (code === opcodes.equals) jump(loaded === k)
    else if (code === opcodes.atLeast) jump(loaded >= k)
    else if (code === opcodes.hasBits) jump((loaded & k) !== 0)
    else if (code === opcodes.answer) return verdicts[k] ?? `verdict ${k}`
    else throw new Error(`There is no instruction ${code}`)
  }
  throw new Error('The filter ended without a verdict')
}

const processors = ['x64', 'arm64'] as const
/** The system calls that node, git and debuggers live on. */
const needed: Readonly<Record<Processor, Readonly<Record<string, number>>>> = {
  x64: {
    read: 0,
    openat: 257,
    execve: 59,
    futex: 202,
    epoll_pwait: 281,
    prctl: 157,
    seccomp: 317,
    ptrace: 101,
  },
  arm64: {
    read: 63,
    openat: 56,
    execve: 221,
    futex: 98,
    epoll_pwait: 22,
    prctl: 167,
    seccomp: 277,
    ptrace: 117,
  },
}

describe.each(processors)('the filter of system calls (%s)', (processor) => {
  const filter = seccompFilter(processor)
  const arch = architectures[processor]
  const ask = (call: number | null, ...args: readonly bigint[]) =>
    call === null ? null : judge(filter, { arch, call, args })

  it('is small enough for the kernel, and every jump stays in it', () => {
    expect(filter.length % 8).toBe(0)
    expect(filter.length / 8).toBeLessThan(4096)
  })

  it.each(Object.entries(needed[processor]))('lets %s pass', (_name, call) => {
    expect(ask(call)).toBe('allow')
  })

  it.each(Object.entries(forbidden).filter(([, numbers]) => numbers[processor] !== null))(
    'refuses %s',
    (_name, numbers) => {
      expect(ask(numbers[processor])).toBe('EPERM')
    },
  )

  it.each(Object.entries(missing))('knows no %s', (_name, numbers) => {
    expect(ask(numbers[processor])).toBe('ENOSYS')
  })

  it.each([
    ['a thread', 0x003d0f00n, 'allow'],
    ['a process', 0x01200011n, 'allow'],
    ['a user namespace', 0x10000011n, 'EPERM'],
    ['a mount namespace', 0x00020011n, 'EPERM'],
    ['a network namespace', 0x40000011n, 'EPERM'],
    ['a user namespace, with bits above that the kernel drops', 0xff_1000_0011n, 'EPERM'],
  ] as const)('judges clone by its flags: %s', (_name, flags, verdict) => {
    expect(ask(judged.clone[processor], flags)).toBe(verdict)
  })

  it.each([
    ['open files', 0x400n, 'allow'],
    ['users', 0x10000000n, 'EPERM'],
    ['time', 0x80n, 'EPERM'],
  ] as const)('judges unshare by what is to be apart: %s', (_name, flags, verdict) => {
    expect(ask(judged.unshare[processor], flags)).toBe(verdict)
  })

  it.each([
    ['TCGETS', 0x5401n, 'allow'],
    ['TIOCSTI', 0x5412n, 'EPERM'],
    ['TIOCLINUX', 0x541cn, 'EPERM'],
    ['TIOCSTI with a bit above that the kernel drops', 0x1_0000_5412n, 'EPERM'],
  ] as const)('judges ioctl by its command: %s', (_name, command, verdict) => {
    expect(ask(judged.ioctl[processor], 1n, command)).toBe(verdict)
  })

  it.each([
    ['the question which it is', 0xffffffffn, 'allow'],
    ['addresses that are not random', 0x0040000n, 'allow'],
    ['memory that runs when it can be read', 0x0400000n, 'EPERM'],
  ] as const)('judges personality by its kind: %s', (_name, kind, verdict) => {
    expect(ask(judged.personality[processor], kind)).toBe(verdict)
  })

  it.each([
    ['unix', 1n, 'allow'],
    ['inet', 2n, 'allow'],
    ['inet6', 10n, 'allow'],
    ['netlink', 16n, 'allow'],
    ['packet', 17n, 'EAFNOSUPPORT'],
    ['alg', 38n, 'EAFNOSUPPORT'],
    ['vsock', 40n, 'EAFNOSUPPORT'],
  ] as const)('judges socket by its family: %s', (_name, family, verdict) => {
    expect(ask(judged.socket[processor], family, 1n, 0n)).toBe(verdict)
  })

  it('knows no call of another processor, of x32, nor -1', () => {
    for (const [name, other] of Object.entries(architectures)) {
      if (name !== processor) expect(judge(filter, { arch: other, call: 0 }), name).toBe('ENOSYS')
    }
    for (const call of [0x40000000, 0x40000000 + 165, 0xffffffff]) expect(ask(call)).toBe('ENOSYS')
  })
})

it('is made for no other processor', () => {
  expect(processorOf('x64')).toBe('x64')
  expect(processorOf('riscv64')).toBeNull()
})
