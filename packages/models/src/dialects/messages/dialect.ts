import type { TranslatedDialect } from '../dialect.ts'
import { readMessageAnswer } from './answer.ts'
import { editMessages } from './edit.ts'
import { followMessage } from './follow.ts'
import { readMessages } from './read.ts'
import { messageRefusal } from './refusal.ts'
import { messagesToHub } from './hub-read.ts'
import { messageStream } from './hub-stream.ts'
import { messageOfHub } from './hub-write.ts'

/** Anthropic's messages. */
export const messages: TranslatedDialect = {
  name: 'messages',
  path: '/messages',
  read: readMessages,
  edit: editMessages,
  readAnswer: readMessageAnswer,
  follow: followMessage,
  refusal: messageRefusal,
  hub: { read: messagesToHub, write: messageOfHub, stream: messageStream },
}
