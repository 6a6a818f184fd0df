import type { Dialect } from '../dialect.ts'
import { readMessageAnswer } from './answer.ts'
import { editMessages } from './edit.ts'
import { followMessage } from './follow.ts'
import { readMessages } from './read.ts'
import { messageRefusal } from './refusal.ts'

/** Anthropic's messages. */
export const messages: Dialect = {
  name: 'messages',
  path: '/messages',
  read: readMessages,
  edit: editMessages,
  readAnswer: readMessageAnswer,
  follow: followMessage,
  refusal: messageRefusal,
}
