import { defineTool } from '@earendil-works/pi-coding-agent'
import { z } from 'zod'
import type { Asks } from './asks.ts'
import type { Bus } from './bus.ts'

const Questions = z.object({
  questions: z.array(
    z.object({
      question: z.string(),
      header: z.string(),
      options: z.array(z.object({ label: z.string(), description: z.string() })),
      multiple: z.boolean().optional(),
    }),
  ),
})

const Todos = z.object({
  todos: z.array(
    z.object({
      content: z.string(),
      status: z.enum(['pending', 'in_progress', 'completed', 'cancelled']),
      priority: z.enum(['high', 'medium', 'low']).default('medium'),
    }),
  ),
})

const Task = z.object({ description: z.string(), prompt: z.string(), subagent_type: z.string() })
export type Task = z.infer<typeof Task>

const says = (text: string) => ({ content: [{ type: 'text' as const, text }], details: {} })

/** Tools that every runtime of the platform offers its agents and that pi has not built in. */
export function platformTools(parts: {
  readonly session_id: string
  readonly asks: Asks
  readonly bus: Bus
  /** Null in a subagent, which starts no other. */
  readonly runTask: ((task: Task, signal: AbortSignal | undefined) => Promise<string>) | null
}) {
  const { session_id, asks, bus, runTask } = parts
  const question = defineTool({
    name: 'question',
    label: 'Question',
    description: 'Ask the person questions and wait for the answers. Give options to choose from.',
    promptSnippet: 'Ask the person questions and wait for the answers',
    parameters: z.toJSONSchema(Questions),
    execute: async (_id, params, signal) => {
      const { questions } = Questions.parse(params)
      const answers = await asks.question({ session_id, questions }, signal)
      if (answers === null) throw new Error('The person does not want to answer')
      const lines = questions.map(({ question: asked }, n) => `"${asked}": ${(answers[n] ?? []).join(', ')}`)
      return says(`The person answered:\n${lines.join('\n')}`)
    },
  })
  const todowrite = defineTool({
    name: 'todowrite',
    label: 'Todo list',
    description: 'Write down the whole list of what is to be done and how far it is.',
    promptSnippet: 'Keep a list of what is to be done',
    parameters: z.toJSONSchema(Todos, { io: 'input' }),
    execute: async (_id, params) => {
      const { todos } = Todos.parse(params)
      bus.publish('todo.updated', { sessionID: session_id, todos })
      return says(JSON.stringify(todos))
    },
  })
  if (runTask === null) return [question, todowrite]
  const task = defineTool({
    name: 'task',
    label: 'Task',
    description:
      'Have another agent do a task by itself. `subagent_type` names the agent, or `general`. Its last words come back.',
    promptSnippet: 'Have another agent do a task by itself',
    parameters: z.toJSONSchema(Task),
    execute: async (_id, params, signal) => says(await runTask(Task.parse(params), signal)),
  })
  return [question, todowrite, task]
}
