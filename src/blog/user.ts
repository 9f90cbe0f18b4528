/** A signed-in user (spec 3). */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}
