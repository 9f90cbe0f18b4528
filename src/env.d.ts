declare namespace App {
  interface Locals {
    site: import('#blog/site.ts').Site;
    reader: import('#backend/server.ts').PublicReader;
  }
}
