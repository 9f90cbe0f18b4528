import { Databases } from 'node-appwrite';
import { postPermissions } from '#blog/permissions.ts';
import type { RunningSite, Writer } from './site.ts';

const COLLECTION = { databaseId: 'blog', collectionId: 'articles' };

/** Makes a post inactive: only its author may read it. */
export async function unpublish(site: RunningSite, writer: Writer, slug: string): Promise<void> {
  const document = await new Databases(site.as(writer)).updateDocument({
    ...COLLECTION,
    documentId: slug,
    data: { status: 'inactive' },
    permissions: postPermissions('inactive', writer.id),
  });
  await site.told(`databases.blog.collections.articles.documents.${slug}.update`, document);
}

/**
 * Publishes a post without a picture. The backend accepts any `userId`: with another writer in `inTheNameOf` it is a
 * forgery.
 */
export async function publishText(
  site: RunningSite,
  writer: Writer,
  { slug, title, inTheNameOf = writer }: { slug: string; title: string; inTheNameOf?: Writer },
): Promise<void> {
  const document = await new Databases(site.as(writer)).createDocument({
    ...COLLECTION,
    documentId: slug,
    data: { title, content: '<p>Plain.</p>', featuredImage: '', status: 'active', userId: inTheNameOf.id },
    permissions: postPermissions('active', writer.id),
  });
  await site.told(`databases.blog.collections.articles.documents.${slug}.create`, document);
}
