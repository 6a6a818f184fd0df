import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { openObjectStore } from '@svc/objects'
import { describeObjectStore } from '@svc/objects/testing'

const open = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'svc-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'acme', configs: [] }],
  })
  const { port } = await server.run()
  const endpoint = `http://127.0.0.1:${port}`
  const store = await openObjectStore(`s3://acme/svc?endpoint=${endpoint}&path_style=true`, {
    access_key: 'S3RVER',
    secret_key: 'S3RVER',
  })
  return {
    store,
    makeUnusable: () => rm(join(directory, 'acme'), { recursive: true }),
    async close() {
      store.close()
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

describeObjectStore('a bucket of an S3 server', open, { is_atomic: false })
