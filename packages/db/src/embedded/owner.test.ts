import { expect, test } from 'vitest'
import { pickNamed, serverOwner } from './owner.ts'

const owner = { uid: 64001, gid: 64001 }
const passwd =
  'root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1::/:/bin/false\nnobody:x:65534:65534::/:/bin/false\n'

test('root runs PostgreSQL as another user, anyone else as themselves', () => {
  expect(serverOwner(0)).toEqual(owner)
  expect(serverOwner(1000)).toBeUndefined()
})

test('initdb gets a user that has a name: the server’s own, else nobody, else the first that is not root', () => {
  expect(pickNamed(owner, `${passwd}svc:x:64001:64002::/:/bin/false`)).toEqual({ uid: 64001, gid: 64002 })
  expect(pickNamed(owner, passwd)).toEqual({ uid: 65534, gid: 65534 })
  expect(pickNamed(owner, 'root:x:0:0::/:\nnobody:*:-2:-2::/:\ndaemon:*:1:1::/:')).toEqual({ uid: 1, gid: 1 })
  expect(() => pickNamed(owner, 'root:x:0:0::/:')).toThrow('user other than root')
})
