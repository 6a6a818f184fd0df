import type { TranslatedDialect } from '../dialect.ts'
import { readContentAnswer } from './answer.ts'
import { editContent } from './edit.ts'
import { followContent } from './follow.ts'
import { contentToHub } from './hub-read.ts'
import { contentStream } from './hub-stream.ts'
import { contentOfHub } from './hub-write.ts'
import { readContent } from './read.ts'
import { contentRefusal } from './refusal.ts'

/** Google's contents. Its address names the model and whether the answer streams. */
export const generateContent: TranslatedDialect = {
  name: 'generate_content',
  path: '/v1beta/models',
  read: readContent,
  edit: editContent,
  readAnswer: readContentAnswer,
  follow: followContent,
  refusal: contentRefusal,
  hub: { read: contentToHub, write: contentOfHub, stream: contentStream },
}
