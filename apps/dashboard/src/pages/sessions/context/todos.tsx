import { Circle, CircleCheck, CircleDot } from 'lucide-react'
import { useId } from 'react'
import type { Todo } from '../../../conversation/session-log.ts'

const looks = {
  completed: { icon: CircleCheck, tone: 'tone-ok', word: 'done', text: 'text-n10 line-through' },
  in_progress: { icon: CircleDot, tone: 'tone-info', word: 'now', text: 'font-medium' },
  pending: { icon: Circle, tone: 'tone-plain', word: 'to do', text: '' },
} as const

const lookOf = (status: string) =>
  status === 'completed' || status === 'in_progress' ? looks[status] : looks.pending

/** The plan of the agent as a checklist. */
export function Todos({ todos }: { readonly todos: readonly Todo[] }) {
  const heading = useId()
  if (todos.length === 0) return null
  const done = todos.filter(({ status }) => status === 'completed').length
  return (
    <section className="grid gap-1">
      <h2 id={heading}>
        Todo {done}/{todos.length}
      </h2>
      <ul aria-labelledby={heading} className="grid gap-1 text-13">
        {todos.map(({ content, status }, index) => {
          const { icon: Icon, tone, word, text } = lookOf(status)
          return (
            <li key={index} className="flex items-start gap-2">
              <Icon aria-hidden className={`glyph mt-0.5 ${tone}`} />
              <span className="sr-only">{word}: </span>
              <span className={`min-w-0 ${text}`} dir="auto">
                {content}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
