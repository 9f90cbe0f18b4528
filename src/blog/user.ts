/** A signed-in person, as far as the product needs to know them (spec 3). */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}
