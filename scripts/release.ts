/**
 * `npm run release -- VERSION`: tests the product, sets its version, tags it, and builds what is published into
 * `release/VERSION`: source archive, npm packages, SBOM, container image and checksums. Pushes nothing.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { OperatorError } from '#blog/errors.ts';
import { compareVersions, isVersion } from '#operations/upgrade/versions.ts';
import { FLAG, readArguments, runCommand, TEXT } from './command.ts';
import { packPackages } from './release/packages.ts';
import { REPOSITORY } from './release/repository.ts';
import { dateChangelog, setVersion } from './release/version.ts';
import { INSTALLED } from './upgrade/available.ts';
import { git } from './upgrade/places.mjs';
import { ROOT } from './upgrade/releases.ts';

const USAGE = `Usage: npm run release -- VERSION [--image PLATFORMS] [--skip-tests]
--image       also builds the container image, with buildah, podman or docker, for these platforms,
              such as linux/amd64,linux/arm64
--skip-tests  only for a rehearsal`;

/** Runs a program and shows its output. @throws OperatorError if it fails */
function run(program: string, ...args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' });
  if (status !== 0) throw new OperatorError(`${program} ${args[0]} failed. See its output above.`);
}

/** @throws OperatorError if `version` is not a newer version, its tag exists, or there are uncommitted changes */
function requireReady(version: string): void {
  if (!isVersion(version) || version.startsWith('v')) throw new OperatorError(USAGE);
  if (compareVersions(version, INSTALLED) <= 0)
    throw new OperatorError(`${version} is not newer than ${INSTALLED}, the version of package.json.`);
  const changed = git(ROOT, 'status', '--porcelain');
  if (changed) throw new OperatorError(`Commit or undo these changes first:\n${changed}`);
  if (git(ROOT, 'tag', '--list', `v${version}`)) throw new OperatorError(`The tag v${version} exists already.`);
}

/** Commits the version and tags it. @returns the release notes */
function tagRelease(version: string): string {
  const file = join(ROOT, 'CHANGELOG.md');
  const day = new Date().toISOString().slice(0, 10);
  const { changelog, notes } = dateChangelog(readFileSync(file, 'utf8'), version, day);
  writeFileSync(file, changelog);
  setVersion(ROOT, version);
  git(ROOT, 'commit', '--quiet', '--all', '--message', `Release ${version}`);
  // `verbatim`, because git would treat Markdown headings as comments.
  git(ROOT, 'tag', '--annotate', '--cleanup=verbatim', '--message', `Common Ink ${version}\n\n${notes}`, `v${version}`);
  return notes;
}

/** Returns the software bill of materials (CycloneDX), with the release's date. */
function softwareBill(seconds: number): string {
  const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only'];
  const bill = JSON.parse(execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 }));
  // Removes npm's random serial number and current time, which would make two builds of the same release differ.
  delete bill.serialNumber;
  bill.metadata.timestamp = new Date(seconds * 1000).toISOString();
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/** Builds the container image for `platforms` and saves it as one file. */
function buildImage(to: string, version: string, platforms: string, seconds: number): void {
  const builder = ['buildah', 'podman', 'docker'].find((name) => spawnSync(name, ['--version']).status === 0);
  if (!builder) throw new OperatorError('An image needs buildah, podman or docker.');
  const file = join(to, `common-ink-${version}.oci.tar`);
  const labels = [`--build-arg=VERSION=${version}`, `--build-arg=REVISION=${git(ROOT, 'rev-parse', 'HEAD')}`];
  const common = ['--file', 'deploy/Containerfile', '--platform', platforms, ...labels];
  if (builder === 'docker') {
    const epoch = `--build-arg=SOURCE_DATE_EPOCH=${seconds}`;
    const output = `--output=type=oci,dest=${file},rewrite-timestamp=true`;
    run(builder, 'buildx', 'build', ...common, epoch, output, '.');
  } else {
    const tag = `localhost/common-ink:${version}`;
    // A manifest left over from an earlier attempt would contain that attempt's images as well as the new ones.
    spawnSync(builder, ['manifest', 'rm', tag], { stdio: 'ignore' });
    run(builder, 'build', ...common, '--format', 'docker', '--timestamp', `${seconds}`, '--manifest', tag, '.');
    run(builder, 'manifest', 'push', '--all', tag, `oci-archive:${file}`);
  }
}

/** Builds the release into `to`. Two builds of one commit produce the same bytes, except for the image. */
function buildRelease(to: string, version: string, notes: string, platforms: string | undefined): void {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  const seconds = Number(git(ROOT, 'log', '-1', '--format=%ct'));
  const archive = ['archive', '--format=tar', `--prefix=common-ink-${version}/`, 'HEAD'];
  const tar = execFileSync('git', archive, { cwd: ROOT, maxBuffer: 2 ** 28 });
  writeFileSync(join(to, `common-ink-${version}-source.tar.gz`), gzipSync(tar, { level: 9 }));
  run(process.execPath, 'scripts/build.ts');
  packPackages(ROOT, to);
  writeFileSync(join(to, `common-ink-${version}.cdx.json`), softwareBill(seconds));
  writeFileSync(join(to, 'NOTES.md'), `# Common Ink ${version}\n\n${notes}\n`);
  if (platforms) buildImage(to, version, platforms, seconds);
  const sums = readdirSync(to).map((name) => `${hash('sha256', readFileSync(join(to, name)))}  ${name}`);
  writeFileSync(join(to, 'SHA256SUMS'), `${sums.join('\n')}\n`);
}

await runCommand(async () => {
  const { values, positionals } = readArguments(USAGE, { image: TEXT, 'skip-tests': FLAG }, 1);
  const [version = ''] = positionals;
  requireReady(version);
  dateChangelog(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version, '');
  // Makes the tests include packages that have not changed.
  process.env.CI = 'true';
  if (!values['skip-tests']) run(process.execPath, 'scripts/test.ts');
  const former = git(ROOT, 'rev-parse', 'HEAD');
  const to = join(ROOT, 'release', version);
  try {
    buildRelease(to, version, tagRelease(version), values.image);
  } catch (error) {
    spawnSync('git', ['tag', '--delete', `v${version}`], { cwd: ROOT, stdio: 'ignore' });
    git(ROOT, 'reset', '--hard', '--quiet', former);
    throw error;
  }
  const packages = readdirSync(to).filter((name) => name.endsWith('.tgz'));
  console.log(`\nRelease ${version} is tagged, and its files are in ${to}. Nothing was published. To publish it:

    git push ${REPOSITORY ?? 'origin'} HEAD v${version}
${packages.map((name) => `    npm publish release/${version}/${name}`).join('\n')}

and attach the files to the release, with NOTES.md as its text.`);
});
