import type { TranslatedDialect } from '../dialect.ts'
import { openAiRefusal } from '../kit/refusal.ts'
import { readResponseAnswer } from './answer.ts'
import { editResponses } from './edit.ts'
import { followResponse } from './follow.ts'
import { readResponses } from './read.ts'
import { responsesToHub } from './hub-read.ts'
import { responseStream } from './hub-stream.ts'
import { responseOfHub } from './hub-write.ts'

/** OpenAI's responses, of which nothing is stored. */
export const responses: TranslatedDialect = {
  name: 'responses',
  path: '/responses',
  read: readResponses,
  edit: editResponses,
  readAnswer: readResponseAnswer,
  follow: followResponse,
  refusal: openAiRefusal,
  hub: { read: responsesToHub, write: responseOfHub, stream: responseStream },
}
