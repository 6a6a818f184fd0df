/** Columns of a row that are points in time. */
type TimesOf<Row> = {
  [Column in keyof Row]-?: Extract<Row[Column], Date> extends never ? never : Column
}[keyof Row]

/** A row of a joined table, as `row_to_json` writes it: points in time are texts. */
export type JsonRow<Row> = {
  readonly [Column in keyof Row]: Extract<Row[Column], Date> extends never
    ? Row[Column]
    : string | Exclude<Row[Column], Date>
}

/** The row itself. Every column that is a point in time has to be named. */
export function rowOfJson<Row>(json: JsonRow<Row>, times: Readonly<Record<TimesOf<Row>, true>>): Row {
  const revived = Object.keys(times).map((column) => {
    const value: unknown = json[column as keyof Row]
    return [column, typeof value === 'string' ? new Date(value) : value] as const
  })
  // What is left are values that JSON has as the driver gives them.
  return { ...json, ...Object.fromEntries(revived) } as Row
}
