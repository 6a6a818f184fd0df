import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { HubTarget } from '../../hub/hub.ts'
import { type AssistantPart, inputOf, promptBuilder } from '../../hub/prompt.ts'
import { openProof } from '../../hub/reasoning.ts'
import { cannotTranslate } from '../../hub/refuse.ts'
import { isObject, type JsonObject, listOf, objectOf, textOf } from '../kit/json.ts'
import { responseOutput, userPart } from './hub-parts.ts'
import { member } from './member.ts'

/** The contents of a request as a prompt of the hub. */
export function contentPrompt(value: JsonObject, target: HubTarget): LanguageModelV3Prompt {
  const prompt = promptBuilder()
  const calls = openCalls()
  const instruction = member(value, 'systemInstruction')
  prompt.system(textOf(instruction) ?? systemText(instruction))
  for (const [at, content] of listOf(value['contents']).map(objectOf).entries()) {
    const parts = listOf(content['parts']).map(objectOf)
    const field = (n: number) => `contents.${at}.parts.${n}`
    if (content['role'] === 'model') {
      prompt.assistant(parts.flatMap((part, n) => modelParts(part, field(n), calls)))
      continue
    }
    const isResponse = (part: JsonObject) => isObject(member(part, 'functionResponse'))
    for (const [n, part] of parts.entries()) {
      if (!isResponse(part)) continue
      const said = objectOf(member(part, 'functionResponse'))
      prompt.result(calls.answered(said), responseOutput(said, `${field(n)}.functionResponse`))
    }
    prompt.user(parts.flatMap((part, n) => (isResponse(part) ? [] : [userPart(part, field(n))])))
  }
  return prompt.done(target)
}

function systemText(instruction: unknown): string {
  const parts = isObject(instruction) ? (instruction['parts'] ?? [instruction]) : instruction
  const list = Array.isArray(parts) ? parts : [parts]
  return list.map((part) => textOf(part) ?? textOf(objectOf(part)['text']) ?? '').join('\n')
}

function modelParts(
  part: JsonObject,
  field: string,
  calls: ReturnType<typeof openCalls>,
): readonly AssistantPart[] {
  const proof = openProof(textOf(member(part, 'thoughtSignature')))
  const reasoning: readonly AssistantPart[] =
    proof === null ? [] : [{ type: 'reasoning', text: '', providerOptions: proof }]
  const call = member(part, 'functionCall')
  if (isObject(call)) {
    const toolName = textOf(call['name'])
    if (toolName === null) throw cannotTranslate(`${field}.functionCall`)
    const toolCallId = calls.made(textOf(call['id']), toolName)
    return [...reasoning, { type: 'tool-call', toolCallId, toolName, input: inputOf(call['args'] ?? {}) }]
  }
  // A thought is for people: only its signature proves it to its provider.
  if (part['thought'] === true) return reasoning
  const text = textOf(part['text'])
  if (text !== null) return [...reasoning, ...(text === '' ? [] : [{ type: 'text' as const, text }])]
  const { type, ...media } = userPart(part, field)
  if (type !== 'file' || !('mediaType' in media)) throw cannotTranslate(field)
  return [...reasoning, { type, ...media }]
}

/** Calls without an id are answered in the order in which they were made, by their name. */
function openCalls() {
  const open: { readonly id: string; readonly name: string }[] = []
  let made = 0
  return {
    made(said: string | null, name: string): string {
      const id = said ?? `call_${++made}`
      open.push({ id, name })
      return id
    },
    answered({ id, name }: JsonObject): string {
      const said = textOf(id)
      const at = open.findIndex((call) => (said === null ? call.name === name : call.id === said))
      const [call] = at < 0 ? [] : open.splice(at, 1)
      return call?.id ?? said ?? `call_of_${String(name)}`
    },
  }
}
