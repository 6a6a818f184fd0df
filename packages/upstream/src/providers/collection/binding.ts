import { z } from 'zod'

const pair = z.object({ name: z.string(), value: z.string() })

/** A request of a collection: texts in which an argument stands at each `{{name}}`. */
export const collectionBinding = z.object({
  method: z.string(),
  /** The address in the file, null where the manifest names one. */
  server: z.string().nullable(),
  path: z.string(),
  query: z.array(pair),
  headers: z.array(pair),
  body: z
    .discriminatedUnion('mode', [
      z.object({
        mode: z.literal('text'),
        type: z.string(),
        text: z.string(),
        format: z.enum(['json', 'xml', 'plain']),
      }),
      z.object({ mode: z.literal('form'), fields: z.array(pair) }),
      z.object({ mode: z.literal('multipart'), fields: z.array(pair), files: z.array(z.string()) }),
      z.object({ mode: z.literal('file'), arg: z.string() }),
    ])
    .nullable(),
  /** Values that the file has for its variables. */
  defaults: z.record(z.string(), z.string()),
  /** Arguments that stand in the text of a program, where only plain words are safe. */
  words: z.array(z.string()),
})

export type CollectionBinding = z.output<typeof collectionBinding>
