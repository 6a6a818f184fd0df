/** One listening socket as /proc/net/tcp and /proc/net/tcp6 show it. */
export interface Listener {
  /** `*` for every address of the machine. */
  readonly address: string
  readonly port: number
  readonly inode: string
}

const listening = '0A'

/** Reads the listening sockets from a table of /proc/net. */
export function parseListeners(table: string): readonly Listener[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
    const [address = '', port = ''] = local.split(':')
    if (state !== listening || inode === undefined || !/^[0-9A-F]{4}$/.test(port)) return []
    return [{ address: addressOf(address), port: Number.parseInt(port, 16), inode }]
  })
}

/** The sockets that accept what is sent to `host`: its own ones, else those that take every address. */
export function listenersAt(listeners: readonly Listener[], host: string, port: number): readonly Listener[] {
  const there = listeners.filter((listener) => listener.port === port)
  const exact = there.filter(({ address }) => address === host)
  return exact.length > 0 ? exact : there.filter(({ address }) => address === '*')
}

/** Four-byte words in the byte order of the machine, which is little-endian on everything that Node 20 runs on. */
function addressOf(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) =>
    (word.match(/../g) ?? []).toReversed().map((byte) => Number.parseInt(byte, 16)),
  )
  if (bytes.every((byte) => byte === 0)) return '*'
  if (bytes.length === 4) return bytes.join('.')
  const mapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255
  if (mapped) return bytes.slice(12).join('.')
  return bytes.slice(0, 15).every((byte) => byte === 0) && bytes[15] === 1 ? '::1' : hex
}
