import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { askQuestion } from './ask-question.ts'
import { runCommand } from './run-command.ts'
import { type Session, update } from './session.ts'
import type { ToolWork } from './tool-call.ts'

const Write = z.object({ path: z.string(), content: z.string() })
const Bash = z.object({ command: z.string() })
const Read = z.object({ path: z.string() })
const Todo = z.object({
  items: z.array(
    z.union([
      z
        .string()
        .transform((content) => ({ content, status: 'pending' as const, priority: 'medium' as const })),
      z.object({
        content: z.string(),
        status: z.enum(['pending', 'in_progress', 'completed']).default('pending'),
        priority: z.enum(['high', 'medium', 'low']).default('medium'),
      }),
    ]),
  ),
})
const Ask = z.object({ question: z.string(), options: z.array(z.string()).default([]) })

const inputs = { write: Write, bash: Bash, read: Read, todo: Todo, ask: Ask }

/** The tools as the model is offered them. */
export const toolDefinitions = Object.entries(inputs).map(([name, schema]) => ({
  type: 'function',
  function: { name, description: `The tool ${name}.`, parameters: z.toJSONSchema(schema, { io: 'input' }) },
}))

/** The work that a call of the model asks for. */
export function toolWork(session: Session, name: string, args: string): ToolWork {
  const input: unknown = JSON.parse(args || '{}')
  const pathOf = (path: string): string => resolve(session.cwd, path)
  const base = { name, input }
  switch (name) {
    case 'write': {
      const { path, content } = Write.parse(input)
      return writeWork(session, pathOf(path), content, input)
    }
    case 'bash': {
      const { command } = Bash.parse(input)
      const run: ToolWork['run'] = (call) => runCommand(session, command, call)
      return { ...base, title: command, kind: 'execute', asks: true, run }
    }
    case 'read': {
      const path = pathOf(Read.parse(input).path)
      const run = (): Promise<string> => readFile(session, path)
      return { ...base, title: `Read ${path}`, kind: 'read', locations: [{ path }], asks: false, run }
    }
    case 'todo': {
      const { items: entries } = Todo.parse(input)
      const run = async (): Promise<string> => {
        if (session.settings.plan) await update(session, { sessionUpdate: 'plan', entries })
        return 'noted'
      }
      return { ...base, title: 'Plan', kind: 'think', asks: false, run }
    }
    case 'ask': {
      const question = Ask.parse(input)
      const run: ToolWork['run'] = ({ id }) => askQuestion(session, id, question)
      return { ...base, title: question.question, kind: 'other', asks: false, run }
    }
    default:
      return { ...base, title: name, kind: 'other', asks: false, run: async () => `There is no tool ${name}` }
  }
}

function writeWork(session: Session, path: string, content: string, input: unknown): ToolWork {
  const oldText = existsSync(path) ? readFileSync(path, 'utf8') : null
  return {
    name: 'write',
    title: `Write ${path}`,
    kind: 'edit',
    input,
    content: [{ type: 'diff', path, oldText, newText: content }],
    locations: [{ path, line: 1 }],
    asks: true,
    run: async () => {
      if (session.settings.client_fs && session.capabilities.fs?.writeTextFile === true) {
        await session.client.request('fs/write_text_file', { sessionId: session.id, path, content })
      } else {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, content)
      }
      return 'written'
    },
  }
}

/** The text of a file, by the client where it reads files. */
export async function readFile(session: Session, path: string): Promise<string> {
  if (!session.settings.client_fs || session.capabilities.fs?.readTextFile !== true) {
    return readFileSync(path, 'utf8')
  }
  const { content } = await session.client.request('fs/read_text_file', { sessionId: session.id, path })
  return content
}
