import type { AskAnswer } from '@svc/sdk'
import { useId, useState } from 'react'
import { answersOf, type GivenAnswer, noAnswer, type Question } from './ask.ts'

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
      <p className="actions">
        <button type="submit" disabled={busy || answers === null}>
          {busy ? 'Answering…' : 'Answer'}
        </button>
        <button type="button" className="quiet" disabled={busy} onClick={() => onAnswer({ reject: true })}>
          Refuse to answer
        </button>
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
    <fieldset>
      <legend>{text}</legend>
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
      <label htmlFor={`${name}-own`}>{options.length === 0 ? 'Your answer' : 'In your own words'}</label>
      <input
        id={`${name}-own`}
        value={own}
        onChange={({ target }) => onChange({ picked: multiple ? picked : [], own: target.value })}
      />
    </fieldset>
  )
}
