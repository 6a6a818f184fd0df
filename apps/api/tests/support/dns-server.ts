import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decode, encode } from 'dns-packet'

/** A name server of this machine that knows texts alone: by name the texts, or that it fails. */
export async function dnsServer() {
  const texts = new Map<string, readonly string[] | 'fails'>()
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const { id = 0, questions = [] } = decode(message)
    const name = questions[0]?.name ?? ''
    const found = texts.get(name.toLowerCase())
    const rcode = found === undefined ? 3 : found === 'fails' ? 2 : 0
    const answers = (Array.isArray(found) ? found : []).map((text: string) => ({
      type: 'TXT' as const,
      name,
      ttl: 1,
      // As zones write long ones.
      data: text.match(/.{1,40}/g) ?? [],
    }))
    socket.send(encode({ type: 'response', id, flags: 0x8180 | rcode, questions, answers }), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    texts,
    address: `127.0.0.1:${socket.address().port}`,
    close: async () => void (await new Promise<void>((closed) => socket.close(closed))),
  }
}
