import { type ContentBlock, RequestError } from '@agentclientprotocol/sdk'
import type { Message, Part } from './conversation.ts'

/** A prompt as the model reads it: plain text unless an image is in it. */
export function userMessage(prompt: readonly ContentBlock[], takesImages: boolean): Message {
  const parts = prompt.map((block): Part => {
    switch (block.type) {
      case 'text':
        return { type: 'text', text: block.text }
      case 'image':
        if (!takesImages) throw RequestError.invalidParams(undefined, 'This agent takes no images')
        return { type: 'image_url', image_url: { url: `data:${block.mimeType};base64,${block.data}` } }
      case 'resource':
        return { type: 'text', text: 'text' in block.resource ? block.resource.text : block.resource.uri }
      case 'resource_link':
        return { type: 'text', text: block.uri }
      case 'audio':
        throw RequestError.invalidParams(undefined, 'This agent takes no sound')
    }
  })
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return { role: 'user', content: texts.length === parts.length ? texts.join('\n') : parts }
}

export function textOf({ content }: Message): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
