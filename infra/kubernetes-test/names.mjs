import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { CoreV1Api } from './client.mjs'

export const clusterDomain = 'cluster.local'
const serviceName = /^([a-z0-9-]+)\.([a-z0-9-]+)\.svc\.cluster\.local$/
const ipv4 = 1
const noSuchName = 3

/** Tells pods the addresses of Services, as the DNS of a cluster does. It knows no other name. */
export async function startNames({ config }, address) {
  const core = config.makeApiClient(CoreV1Api)
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    replyTo(core, query).then(
      (reply) => socket.send(reply, from.port, from.address, () => undefined),
      // Without an answer the pod asks again.
      (error) => process.stderr.write(`test:kubernetes: names: ${error.message}\n`),
    )
  })
  socket.bind(53, address)
  await once(socket, 'listening')
  return { close: () => socket.close() }
}

async function replyTo(core, query) {
  const { name, type, end } = questionOf(query)
  return answerTo(query.subarray(0, end), await addressOf(core, name), type === ipv4)
}

/** The address of a Service, or null when there is none of the name. */
async function addressOf(core, asked) {
  const [, name, namespace] = serviceName.exec(asked) ?? []
  if (name === undefined) return null
  const { items } = await core.listNamespacedService({ namespace, fieldSelector: `metadata.name=${name}` })
  return items[0]?.spec.clusterIP ?? null
}

function questionOf(query) {
  const labels = []
  let at = 12
  for (let length = query[at]; length > 0; length = query[at]) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(question, address, isAsked) {
  const header = Buffer.from(question)
  // An answer, by who knows, of as much recursion as was asked for.
  header[2] = 0x84 | (question[2] & 1)
  header[3] = address === null ? noSuchName : 0
  header.writeUInt16BE(0, 6)
  header.fill(0, 8, 12)
  if (address === null || !isAsked) return header
  header.writeUInt16BE(1, 6)
  // The name of the question, an address of the internet, for five seconds, four bytes.
  const record = [0xc0, 12, 0, ipv4, 0, 1, 0, 0, 0, 5, 0, 4, ...address.split('.').map(Number)]
  return Buffer.concat([header, Buffer.from(record)])
}
