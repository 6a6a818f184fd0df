import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openControl } from './open-control.ts'

/** The control of a sandbox in which a program took the place of svc-appd, and answers as it likes. */
async function controlOf(answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      if (bytes.includes('GET /state')) answer(socket)
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return openControl({ url: `http://127.0.0.1:${Object(server.address()).port}` }, 'token')
}

const signal = new AbortController().signal

test('an answer without an end is given up', async () => {
  const control = await controlOf((socket) => {
    const more = () => {
      if (!socket.destroyed) socket.write(Buffer.alloc(1024 * 1024, '1'), more)
    }
    socket.write('HTTP/1.1 200 OK\r\n\r\n', more)
  })
  await expect(control.state(signal)).rejects.toThrow('The sandbox of the program answers too much')
})

test('another protocol than was asked for is an error', async () => {
  const control = await controlOf((socket) => {
    socket.write('HTTP/1.1 101 Other\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')
  })
  await expect(control.state(signal)).rejects.toThrow('changed unasked')
})
