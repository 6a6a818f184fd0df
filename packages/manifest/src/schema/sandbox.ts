import { z } from 'zod'
import { withConditions } from './conditions.ts'
import { slugPattern } from '@svc/facts'
import { filled, forbidden, relativePath } from './words.ts'

const size = z.int().min(1)

export const templateShape = withConditions(
  z.looseObject({
    slug: z
      .string()
      .regex(slugPattern, 'must be a slug: lowercase letters, digits, `_` and `-`, at most 128 characters')
      .refine((slug) => slug !== 'default', 'must not be `default`: that names the built-in sandbox')
      .meta({ not: { const: 'default' } }),
    name: z.string().optional(),
    entrypoint: z.string().optional(),
    cpu: size.optional(),
    memory: size.optional(),
    disk: size.optional(),
    image: filled.optional(),
    dockerfile: relativePath.optional(),
  }),
  [
    { needs: ['image', 'dockerfile'], because: 'a template needs exactly one of `image` and `dockerfile`' },
    {
      atMostOne: ['image', 'dockerfile'],
      because: 'a template has exactly one of `image` and `dockerfile`, not both',
    },
  ],
)

export const templateKeys: readonly string[] = Object.keys(templateShape.shape)

const perTemplate = (key: string) =>
  forbidden(`\`${key}\` is not allowed in \`sandbox\`; give it to a template in \`sandbox.templates\``)
const gone = (key: string) => forbidden(`\`${key}\` is not allowed in \`sandbox\``)

export const sandboxShape = z.looseObject({
  default: filled.optional(),
  templates: z.array(templateShape).optional(),
  image: perTemplate('image'),
  dockerfile: perTemplate('dockerfile'),
  slug: perTemplate('slug'),
  cpu: perTemplate('cpu'),
  memory: perTemplate('memory'),
  disk: perTemplate('disk'),
  entrypoint: perTemplate('entrypoint'),
  context: gone('context'),
  context_dir: gone('context_dir'),
  gpu: gone('gpu'),
})

export type TemplateInput = z.output<typeof templateShape>
