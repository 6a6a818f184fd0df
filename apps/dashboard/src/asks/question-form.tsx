import type { AskAnswer } from '@svc/sdk'
import { useId, useState } from 'react'
import { Field } from '../parts/field.tsx'
import { answersOf, type GivenAnswer, noAnswer, type Question } from './ask.ts'
import { GuardedButton } from '../parts/guarded-button.tsx'

interface Props {
  readonly questions: readonly Question[]
  readonly busy: boolean
  readonly onAnswer: (answer: AskAnswer) => void
}

/** All questions of one ask are answered together, or it is refused. */
export function QuestionForm({ questions, busy, onAnswer }: Props) {
  const [given, setGiven] = useState<readonly GivenAnswer[]>(() => questions.map(() => noAnswer))
  const answers = answersOf(questions, given)
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && answers !== null) onAnswer({ answers })
      }}
    >
      {questions.map((question, index) => (
        <Choices
          key={index}
          question={question}
          given={given[index] ?? noAnswer}
          onChange={(next) => setGiven(given.map((old, at) => (at === index ? next : old)))}
        />
      ))}
      <p className="flex flex-wrap gap-2">
        <GuardedButton
          needs="project.session.start"
          type="submit"
          className="button primary"
          disabled={busy || answers === null}
        >
          {busy ? 'Sending…' : 'Send answer'}
        </GuardedButton>
        <GuardedButton
          needs="project.session.start"
          className="button danger"
          disabled={busy}
          onClick={() => onAnswer({ reject: true })}
        >
          Refuse
        </GuardedButton>
      </p>
    </form>
  )
}

interface ChoicesProps {
  readonly question: Question
  readonly given: GivenAnswer
  readonly onChange: (given: GivenAnswer) => void
}

/** One of the options, or several where the agent takes several, or the person's own words. */
function Choices({ question: { text, options, multiple }, given: { picked, own }, onChange }: ChoicesProps) {
  const name = useId()
  const toggle = (label: string) => {
    if (!multiple) return onChange({ picked: [label], own: '' })
    const rest = picked.filter((one) => one !== label)
    onChange({ own, picked: rest.length < picked.length ? rest : [...picked, label] })
  }
  return (
    <fieldset className="grid gap-1">
      <legend className="label mb-1" dir="auto">
        {text}
      </legend>
      {options.map(({ label, description }) => (
        <label key={label} className="choice">
          <input
            type={multiple ? 'checkbox' : 'radio'}
            name={name}
            checked={picked.includes(label)}
            onChange={() => toggle(label)}
          />
          <span>
            {label} {description !== null && <span className="hint">{description}</span>}
          </span>
        </label>
      ))}
      <Field
        label={options.length === 0 ? 'Your answer' : 'In your own words'}
        value={own}
        onChange={(typed) => onChange({ picked: multiple ? picked : [], own: typed })}
      />
    </fieldset>
  )
}
