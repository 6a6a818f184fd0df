import type { PendingAsk } from '@svc/sdk'

export interface Choice {
  readonly label: string
  readonly description: string | null
}

export interface Question {
  readonly text: string
  readonly options: readonly Choice[]
  readonly multiple: boolean
}

/** The runtime words its questions as it likes. One that cannot be read is shown as it came: each wants its answer. */
export function readQuestions({ questions }: Extract<PendingAsk, { kind: 'question' }>): readonly Question[] {
  return questions.map((question) => {
    const read = isObject(question) ? question : {}
    return {
      text:
        textOf(read['question']) ?? textOf(read['header']) ?? textOf(question) ?? JSON.stringify(question),
      options: Array.isArray(read['options']) ? read['options'].flatMap(readChoice) : [],
      multiple: read['multiple'] === true,
    }
  })
}

function readChoice(option: unknown): readonly Choice[] {
  if (typeof option === 'string') return [{ label: option, description: null }]
  const label = isObject(option) ? textOf(option['label']) : null
  if (!isObject(option) || label === null) return []
  const description = textOf(option['description'])
  return [{ label, description: description === label ? null : description }]
}

/** The labels that were picked, and the person's own words. */
export interface GivenAnswer {
  readonly picked: readonly string[]
  readonly own: string
}

export const noAnswer: GivenAnswer = { picked: [], own: '' }

/** One list of labels for each question; null while a question has no answer. */
export function answersOf(questions: readonly Question[], given: readonly GivenAnswer[]): string[][] | null {
  const answers = questions.map((_question, index) => {
    const { picked, own } = given[index] ?? noAnswer
    return own.trim() === '' ? [...picked] : [...picked, own.trim()]
  })
  return answers.some((answer) => answer.length === 0) ? null : answers
}

/** The name of the ask where it is told of in a line. */
export function askTitle(ask: PendingAsk): string {
  if (ask.kind === 'permission') return `Permission to use ${ask.permission}`
  return readQuestions(ask)[0]?.text ?? 'A question'
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
