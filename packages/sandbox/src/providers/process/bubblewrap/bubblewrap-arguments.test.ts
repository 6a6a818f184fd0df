import { describe, expect, it } from 'vitest'
import { bubblewrapArguments, type BubblewrapOptions } from './bubblewrap-arguments.ts'

const options: BubblewrapOptions = {
  mounts: {
    layout: { links: [{ path: '/bin', target: 'usr/bin' }], folders: ['/lib64'], etc: ['/etc/ssl/certs'] },
    tools: '/data/.tools/1',
    harnesses: '/data/.harnesses',
    workspace: '/data/sbx/workspace',
    home: '/data/sbx/home',
    run: '/data/sbx/run',
    etc: '/data/sbx/etc',
    etc_files: ['passwd'],
    relay: '/data/.relays/1',
  },
  environment: { A: '1', B: 'two words' },
  forbid_user_namespaces: true,
  own_network: true,
  status_fd: 3,
  gate_fd: 4,
  seccomp_fd: 6,
}

const line = (changes: Partial<BubblewrapOptions> = {}) =>
  bubblewrapArguments({ ...options, ...changes }).join(' ')

describe('bubblewrapArguments', () => {
  it.each(['user', 'pid', 'ipc', 'uts', 'net', 'cgroup-try'])('makes its own %s namespace', (namespace) => {
    expect(line()).toContain(`--unshare-${namespace}`)
  })

  it('drops every capability and outlives the platform', () => {
    expect(line()).toContain('--cap-drop ALL')
    expect(line()).toContain('--new-session')
    expect(line()).not.toContain('--die-with-parent')
  })

  it('hides the host’s /usr/local behind the tools', () => {
    const text = line()
    expect(text).toContain('--ro-bind /usr /usr --ro-bind /data/.tools/1 /usr/local')
  })

  it('binds only the three folders of the sandbox for writing', () => {
    const args = bubblewrapArguments(options)
    const writable = args.flatMap((arg, index) => (arg === '--bind' ? [args[index + 2]] : []))
    expect(writable).toEqual(['/workspace', '/opt/svc/home', '/run/svc'])
    expect(args.lastIndexOf('--remount-ro')).toBeGreaterThan(args.lastIndexOf('--bind'))
  })

  it('shows the way out, and nobody can put another in its place', () => {
    expect(line()).toContain('--ro-bind /data/.relays/1 /run/svc-relay')
    const shared = { ...options, own_network: false, mounts: { ...options.mounts, relay: null } }
    expect(bubblewrapArguments(shared).join(' ')).not.toMatch(/unshare-net|svc-relay/)
  })

  it('bounds every file that is held in memory', () => {
    const args = bubblewrapArguments(options)
    const mounted = args.flatMap((arg, index) => (arg === '--tmpfs' ? [index] : []))
    expect(mounted.map((index) => args[index + 1])).toEqual(['/dev/shm', '/tmp'])
    for (const index of mounted) expect(args[index - 2]).toBe('--size')
    expect(line()).toContain('--remount-ro /dev ')
  })

  it('clears the environment before setting the given one', () => {
    const args = bubblewrapArguments(options)
    expect(args.indexOf('--setenv')).toBeGreaterThan(args.indexOf('--clearenv'))
    expect(line()).toContain('--setenv A 1 --setenv B two words')
  })

  it('leaves out what this bubblewrap or this start does not have', () => {
    expect(line({ forbid_user_namespaces: false })).not.toContain('--disable-userns')
    expect(line({ gate_fd: null })).not.toContain('--block-fd')
    expect(line({})).toContain('--seccomp 6')
    expect(line({ seccomp_fd: null })).not.toContain('--seccomp')
  })
})
