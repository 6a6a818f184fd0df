/** The name and the colour that the dashboard shows the people of an account. */
export const statements: readonly string[] = [
  `alter table accounts
    add column brand_name text check (char_length(brand_name) between 1 and 60),
    add column brand_accent text check (brand_accent ~ '^#[0-9a-f]{6}$')`,
]
