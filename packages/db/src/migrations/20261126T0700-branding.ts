/** The name and the colour that the dashboard shows the people of an account. */
export const statements: readonly string[] = [
  `alter table accounts
    add column brand_name text,
    add column brand_accent text`,
  `alter table accounts
    add constraint accounts_brand_name_check check (char_length(brand_name) between 1 and 60) not valid,
    add constraint accounts_brand_accent_check check (brand_accent ~ '^#[0-9a-f]{6}$') not valid`,
  `alter table accounts validate constraint accounts_brand_name_check`,
  `alter table accounts validate constraint accounts_brand_accent_check`,
]
