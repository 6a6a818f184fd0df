import type { TranslatedDialect } from '../dialect.ts'
import { openAiRefusal } from '../kit/refusal.ts'
import { readChatAnswer } from './answer.ts'
import { editChat } from './edit.ts'
import { followChat } from './follow.ts'
import { readChat } from './read.ts'
import { chatToHub } from './hub-read.ts'
import { chatStream } from './hub-stream.ts'
import { chatOfHub } from './hub-write.ts'

/** OpenAI's chat completions. */
export const chat: TranslatedDialect = {
  name: 'chat',
  path: '/chat/completions',
  read: readChat,
  edit: editChat,
  readAnswer: readChatAnswer,
  follow: followChat,
  refusal: openAiRefusal,
  hub: { read: chatToHub, write: chatOfHub, stream: chatStream },
}
