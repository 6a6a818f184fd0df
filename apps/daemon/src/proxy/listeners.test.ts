import { expect, test } from 'vitest'
import { listenersAt, parseListeners } from './listeners.ts'

const tcp = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1 0 100 0 0 10 0
   1: 2E1DA57F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 112 1 0 100 0 0 10 0
   2: 00000000:0BB9 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 113 1 0 100 0 0 10 0
   3: 0100007F:0BB8 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 114 1 0 100 0 0 10 0
`
const tcp6 = `  sl  local_address                         remote_address                        st
   0: 00000000000000000000000000000000:0BBA 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 115 1 0 100 0 0 10 0
   1: 00000000000000000000000001000000:0BBB 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 116 1 0 100 0 0 10 0
   2: 0000000000000000FFFF00000100007F:0BBC 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 117 1 0 100 0 0 10 0
`
const all = [...parseListeners(tcp), ...parseListeners(tcp6)]
const inodes = (host: string, port: number) => listenersAt(all, host, port).map(({ inode }) => inode)

test('an address of its own goes before every address', () => {
  expect(inodes('127.0.0.1', 3000)).toEqual(['111'])
  expect(inodes('127.165.29.46', 3000)).toEqual(['112'])
  expect(inodes('127.0.0.1', 3001)).toEqual(['113'])
})

test('version 6 sockets take version 4 as well', () => {
  expect(inodes('127.0.0.1', 3002)).toEqual(['115'])
  expect(inodes('::1', 3003)).toEqual(['116'])
  expect(inodes('127.0.0.1', 3003)).toEqual([])
  expect(inodes('127.0.0.1', 3004)).toEqual(['117'])
})

test('connections and noise are no listeners', () => {
  expect(all.map(({ inode }) => inode)).not.toContain('114')
  expect(parseListeners('')).toEqual([])
  expect(parseListeners('no table\nat all')).toEqual([])
})
