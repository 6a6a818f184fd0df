import type { Dialect } from '../dialect.ts'
import { openAiRefusal } from '../kit/refusal.ts'
import { readResponseAnswer } from './answer.ts'
import { editResponses } from './edit.ts'
import { followResponse } from './follow.ts'
import { readResponses } from './read.ts'

/** OpenAI's responses, of which nothing is stored. */
export const responses: Dialect = {
  name: 'responses',
  path: '/responses',
  read: readResponses,
  edit: editResponses,
  readAnswer: readResponseAnswer,
  follow: followResponse,
  refusal: openAiRefusal,
}
