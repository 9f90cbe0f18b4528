import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Query, Users } from 'node-appwrite';
import { expect } from 'playwright/test';
import { browserPath } from '../../scripts/test/browser.ts';
import { type Engine, firefoxPath, webkitDriverPath } from '../../scripts/test/engines.ts';
import { picture } from '../e2e/pictures.ts';
import { test as base, PASSWORD } from '../e2e/site.ts';
import { Hands } from './hands.ts';
import { puppeteerWindow } from './puppeteer-window.ts';
import { webdriverWindow } from './webdriver-window.ts';
import type { BrowserWindow } from './window.ts';

async function windowOf(engine: Engine): Promise<BrowserWindow> {
  if (engine === 'chromium') return puppeteerWindow('chrome', browserPath());
  const path = engine === 'firefox' ? firefoxPath() : webkitDriverPath();
  if (!path) throw new Error(`There is no ${engine} here.`);
  return engine === 'firefox' ? puppeteerWindow('firefox', path) : webdriverWindow(path);
}

const test = base.extend<{ hands: Hands }, { engine: Engine }>({
  engine: ['chromium', { option: true, scope: 'worker' }],
  hands: async ({ engine, site }, use) => {
    const window = await windowOf(engine);
    await window.resize(1280, 900);
    const hands = new Hands(window, site.url);
    await use(hands);
    if (test.info().status !== test.info().expectedStatus) console.log(await hands.shown());
    await window.close();
  },
});

test('a guest reads in both themes and is led to the sign-in from writers’ pages', async ({ hands, site, writer }) => {
  const content = '<p>All of it, in <a href="https://example.com/">another place</a>.</p>';
  const post = await site.post(writer, { title: 'What ink remembers', content });
  await hands.goTo('/');
  await hands.sees('Latest Posts');
  await hands.press('link', 'What ink remembers');
  await hands.arrivesAt(`/post/${post.id}`);
  await hands.sees('All of it, in another place.');
  const lines = () => {
    const link = document.querySelector('article .prose a[href]:not(.heading-anchor)');
    return link ? getComputedStyle(link).textDecorationLine : '';
  };
  await hands.waitsFor('the line under a link', lines, 'underline');
  await hands.seesPicture();
  await hands.findsItDark(false);
  await hands.waitsFor('the whole page', () => document.readyState, 'complete');
  await hands.press('button', 'Dark theme');
  await hands.findsItDark(true);
  await hands.window.reload();
  await hands.findsItDark(true);
  await hands.goTo('/add-post');
  await hands.arrivesAt('/login');
  await hands.sees('Sign in to your account');
});

test('a writer signs up, writes, reloads, publishes, edits, signs in again, and deletes', async ({ hands, site }) => {
  const slug = `journey-${Date.now()}`;
  const email = `${slug}@example.com`;
  const file = test.info().outputPath('ink.png');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, await picture());
  await hands.goTo('/signup');
  await hands.fill('Full name', 'Mary Sample');
  await hands.fill('Email', email);
  await hands.fill('Password', PASSWORD);
  await hands.fill('Confirm password', PASSWORD);
  await hands.press('button', 'Create Account');
  await hands.arrivesAt('/');
  await hands.sees('Logout');
  await hands.press('button', 'Dark theme');
  await hands.findsItDark(true);
  await hands.press('link', 'Add Post');
  await hands.arrivesAt('/add-post');
  await hands.findsItDark(true);
  // Writes a post with a picture, and finds both again after a reload.
  await hands.choose('Featured Image', file);
  await hands.sees('ink.png, ');
  let isAgain = false;
  await expect(async () => {
    // If a busy machine takes longer to store the draft than the form waits, the form retries only after a change.
    if (isAgain) await hands.fill('Title', 'A long way');
    isAgain = true;
    await hands.sees('Saved on this device', 20_000);
  }).toPass({ timeout: 300_000 });
  await hands.fill('Title', 'A long way');
  await hands.fill('Slug', slug);
  await hands.write('Content', 'The first steps of it.');
  // On a busy machine, the form may only offer to restore the draft. Another reload restores it.
  await expect(async () => {
    await hands.window.reload();
    await hands.finds('Title', 'A long way', 10_000);
  }).toPass({ timeout: 120_000 });
  await hands.finds('Content', 'The first steps of it.');
  await hands.sees('ink.png, ');
  await hands.press('button', 'Submit');
  await hands.arrivesAt(`/post/${slug}`);
  await hands.sees('The first steps of it.');
  await hands.seesPicture();
  // Edits the post, and signs in again within the form after the session has ended.
  await hands.press('link', 'Edit');
  await hands.finds('Title', 'A long way');
  await hands.fill('Title', 'A longer way');
  const users = new Users(site.admin());
  const [account] = (await users.list({ queries: [Query.equal('email', email)] })).users;
  await users.deleteSessions({ userId: account?.$id ?? '' });
  await hands.press('button', 'Update');
  await hands.fill('Password', PASSWORD);
  await hands.press('button', 'Sign in');
  await hands.arrivesAt(`/post/${slug}`);
  await hands.sees('A longer way');
  // Finds the post in the list of all posts, and changes the user's name.
  await hands.press('link', 'All Posts');
  await hands.arrivesAt('/all-posts');
  await hands.sees('A longer way');
  await hands.press('link', 'Account');
  await hands.fill('Name', 'Mary Renamed');
  await hands.press('button', 'Save name');
  await hands.sees('Your name was changed.');
  await expect.poll(() => site.text(`/post/${slug}`)).toContain('Mary Renamed');
  await hands.goTo(`/post/${slug}`);
  await hands.sees('Mary Renamed');
  await hands.press('button', 'Delete');
  await hands.press('button', 'Delete post');
  await hands.arrivesAt('/');
  await hands.seesNo('A longer way');
  await hands.press('button', 'Logout');
  const loads = () => performance.getEntriesByType('navigation').map((entry) => entry.toJSON().type);
  await hands.waitsFor('a reload', loads, ['reload']);
  await hands.press('link', 'Login');
  await hands.arrivesAt('/login');
});
