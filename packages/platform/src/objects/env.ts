import { objectPlace } from '@svc/objects/place'
import { z } from 'zod'

/** The variables of the store of objects. */
export const objectStoreEnv = {
  SVC_OBJECT_STORE: z
    .string()
    .refine((url) => objectPlace(url) !== null, {
      message: 'must be file:///folder or s3://bucket/prefix?endpoint=&region=&path_style=true',
    })
    .optional()
    .describe('where archives and other objects are kept, a folder that all services share or a bucket'),
  SVC_OBJECT_STORE_ACCESS_KEY: z
    .string()
    .min(1)
    .optional()
    .describe("the access key of that bucket; the machine's own role when unset"),
  SVC_OBJECT_STORE_SECRET_KEY: z.string().min(1).optional().describe('the secret of that access key'),
} as const

export type ObjectStoreEnv = z.infer<z.ZodObject<typeof objectStoreEnv>>
