import type { Dialect } from '../dialect.ts'
import { openAiRefusal } from '../kit/refusal.ts'
import { readChatAnswer } from './answer.ts'
import { editChat } from './edit.ts'
import { followChat } from './follow.ts'
import { readChat } from './read.ts'

/** OpenAI's chat completions. */
export const chat: Dialect = {
  name: 'chat',
  path: '/chat/completions',
  read: readChat,
  edit: editChat,
  readAnswer: readChatAnswer,
  follow: followChat,
  refusal: openAiRefusal,
}
