import { z } from 'zod'
import { isMapping } from '../raw.ts'
import { didYouMean } from '../suggest.ts'
import { saying } from './explain.ts'

/** An object whose keys are all known: every other key is an issue of its own, at that key. */
export function closedObject<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  explain: (key: string) => string | undefined = () => undefined,
) {
  const known = Object.keys(shape)
  return z
    .looseObject(shape)
    .superRefine(
      (value: unknown, context) => {
        if (!isMapping(value)) return
        for (const key of Object.keys(value)) {
          if (known.includes(key)) continue
          const message = () =>
            explain(key) ?? `unknown key${didYouMean(key, known) || `; known are ${known.join(', ')}`}`
          context.addIssue({ code: 'custom', path: [key], params: saying(message) })
        }
      },
      { when: () => true },
    )
    .meta({ additionalProperties: false })
}
