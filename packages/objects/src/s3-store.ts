import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { Readable } from 'node:stream'
import { inParts } from './in-parts.ts'
import { objectKey } from './object-key.ts'
import type { ObjectPlace } from './object-place.ts'
import type { ObjectStore } from './object-store.ts'

export interface StoreKeys {
  readonly access_key: string
  readonly secret_key: string
}

/** At most 10,000 parts are one object. */
const partBytes = 16 * 2 ** 20

/** Objects of a bucket. Without keys the machine's own way to them is taken: a role, a profile, variables. */
export function createS3Store(place: Extract<ObjectPlace, { kind: 's3' }>, keys?: StoreKeys): ObjectStore {
  const client = new S3Client({
    region: place.region,
    ...(place.endpoint === undefined ? {} : { endpoint: place.endpoint }),
    forcePathStyle: place.path_style,
    // Servers of others refuse the checksums that the SDK adds by itself, or keep them as a part of the object.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 60_000 },
    ...(keys && { credentials: { accessKeyId: keys.access_key, secretAccessKey: keys.secret_key } }),
  })
  const Bucket = place.bucket
  const at = (key: string) => ({ Bucket, Key: place.prefix + objectKey(key) })
  const check = async () => void (await client.send(new HeadBucketCommand({ Bucket })))

  async function putStream(key: string, body: AsyncIterable<Uint8Array>): Promise<void> {
    const parts = inParts(body, partBytes)
    const first = await parts.next()
    const second = await parts.next()
    if (second.done) {
      await client.send(new PutObjectCommand({ ...at(key), Body: first.value ?? Buffer.alloc(0) }))
      return
    }
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(at(key)))
    try {
      const done: { ETag: string | undefined; PartNumber: number }[] = []
      const upload = async (Body: Uint8Array) => {
        const PartNumber = done.length + 1
        const { ETag } = await client.send(new UploadPartCommand({ ...at(key), UploadId, PartNumber, Body }))
        done.push({ ETag, PartNumber })
      }
      await upload(first.value ?? Buffer.alloc(0))
      await upload(second.value)
      for await (const part of parts) await upload(part)
      const MultipartUpload = { Parts: done }
      await client.send(new CompleteMultipartUploadCommand({ ...at(key), UploadId, MultipartUpload }))
    } catch (error) {
      await client.send(new AbortMultipartUploadCommand({ ...at(key), UploadId })).catch(() => {})
      throw error
    }
  }

  return {
    async put(key, body) {
      if (body instanceof Uint8Array) await client.send(new PutObjectCommand({ ...at(key), Body: body }))
      else await putStream(key, body)
    },
    async get(key, range) {
      const Range = range && `bytes=${range.offset}-${range.offset + range.length - 1}`
      const found = await client.send(new GetObjectCommand({ ...at(key), Range })).catch(unlessMissing)
      if (found === null) return null
      if (!(found.Body instanceof Readable)) throw new Error(`The store sent no bytes for ${key}`)
      return found.Body
    },
    async head(key) {
      const found = await client.send(new HeadObjectCommand(at(key))).catch(unlessMissing)
      if (found === null) {
        // The answer to HEAD has no text, and says of an absent bucket what it says of an absent object.
        await check()
        return null
      }
      return { key, bytes: found.ContentLength ?? 0, modified_at: found.LastModified ?? new Date(0) }
    },
    async *list(prefix) {
      const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: place.prefix + prefix })
      for await (const { Contents = [] } of pages)
        for (const { Key = '', Size = 0, LastModified = new Date(0) } of Contents)
          yield { key: Key.slice(place.prefix.length), bytes: Size, modified_at: LastModified }
    },
    async delete(key) {
      await client.send(new DeleteObjectCommand(at(key)))
    },
    async copy(from, to) {
      const CopySource = `${Bucket}/${at(from).Key}`
      return (
        (await client.send(new CopyObjectCommand({ ...at(to), CopySource })).catch(unlessMissing)) !== null
      )
    },
    check,
    close: () => client.destroy(),
  }
}

function unlessMissing(error: unknown): null {
  if (
    error instanceof S3ServiceException &&
    error.$metadata.httpStatusCode === 404 &&
    error.name !== 'NoSuchBucket'
  )
    return null
  throw error
}
