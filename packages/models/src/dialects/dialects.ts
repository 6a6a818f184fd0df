import { chat } from './chat/dialect.ts'
import type { Dialect, DialectName } from './dialect.ts'
import { embeddings } from './embeddings/dialect.ts'
import { generateContent } from './generate-content/dialect.ts'
import { messages } from './messages/dialect.ts'
import { responses } from './responses/dialect.ts'

/** Every dialect: a folder beside this file, and a line here. */
export const dialects = {
  chat,
  responses,
  messages,
  generate_content: generateContent,
  embeddings,
} as const satisfies Record<DialectName, Dialect>
