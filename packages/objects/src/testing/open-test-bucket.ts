import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

/** A bucket on a server of its own that speaks S3's protocol. */
export interface TestBucket {
  readonly keys: { readonly access_key: string; readonly secret_key: string }
  /** The address of a place in it. */
  place(prefix: string): string
  /** The bucket is deleted, and the server goes on. */
  remove(): Promise<void>
  close(): Promise<void>
}

export async function openTestBucket(): Promise<TestBucket> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-s3-'))
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'acme', configs: [] }],
  })
  const { port } = await server.run()
  return {
    keys: { access_key: 'S3RVER', secret_key: 'S3RVER' },
    place: (prefix) => `s3://acme/${prefix}?endpoint=http://127.0.0.1:${port}&path_style=true`,
    remove: () => rm(join(directory, 'acme'), { recursive: true }),
    async close() {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
