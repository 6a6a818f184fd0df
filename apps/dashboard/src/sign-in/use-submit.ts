import { type FormEvent, useState } from 'react'

/** The sending of a form: busy while it runs, with the error that it ended in. */
export function useSubmit(send: () => Promise<void>) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setError(null)
    try {
      await send()
    } catch (cause) {
      setError(cause)
    }
    setBusy(false)
  }
  return { busy, error, onSubmit: (event: FormEvent) => void submit(event) }
}
