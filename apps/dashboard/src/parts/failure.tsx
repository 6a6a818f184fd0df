import { failureText } from './failure-text.ts'

/** The refusal or failure, spoken when it appears; nothing without an error. */
export function Failure({ error }: { readonly error: unknown }) {
  if (error === null || error === undefined) return null
  const { message, points, code, request_id } = failureText(error)
  return (
    <div role="alert" className="failure">
      <p>{message}</p>
      {points.length > 0 && (
        <ul>
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      )}
      {(code !== null || request_id !== null) && (
        <p className="hint">
          {code !== null && <code>{code}</code>} {request_id !== null && <>request {request_id}</>}
        </p>
      )}
    </div>
  )
}
