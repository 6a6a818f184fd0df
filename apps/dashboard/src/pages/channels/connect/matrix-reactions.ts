/** The reactions that stand for buttons in Matrix, each with its meaning. */
export const reactions = [
  ['✅', 'the first thing to do: Merge, Once, Allow'],
  ['🛑', 'Stop, Reject, Deny, Close'],
  ['1️⃣', 'and the numbers after it: the others, as the card lists them'],
  ['✏️', 'a text: reply to the card with it. The reaction alone does nothing'],
] as const
