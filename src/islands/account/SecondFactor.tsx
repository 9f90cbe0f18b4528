import { useStore } from '@nanostores/react';
import { type FormEvent, useEffect, useState } from 'react';
import { encode } from 'uqr';
import { passkeyFault, passkeyText } from '#blog/messages/passkeys.ts';
import { recoveryMessage, recoveryText } from '#blog/messages/recovery.ts';
import { Banner } from '#components/controls/Banner.tsx';
import { Button } from '#components/controls/Button.tsx';
import { Field } from '#components/controls/Field.tsx';
import { $passkeys, hasWorkingPasskey, keepAppKey, passkeyCodes } from '#stores/account/passkeys.ts';
import type { AppKey, Code } from '#stores/account/second-factor.ts';
import { isSecondFactorOn, newAppKey, renewCodes, switchOff, switchOn } from '#stores/account/second-factor.ts';
import { saveFile } from '../save-file.ts';
import { useWork } from '../use-work.ts';
import { Section } from './Section.tsx';

type Asked = { readonly kind: 'on'; readonly key: AppKey | undefined } | { readonly kind: 'off' | 'codes' };

export function SecondFactor() {
  const [isOn, setOn] = useState<boolean>();
  const [asked, setAsked] = useState<Asked>();
  const [codes, setCodes] = useState<readonly string[]>();
  const { failure, run, setFailure } = useWork((error) => passkeyFault(error) ?? recoveryMessage(error));
  const own = useStore($passkeys);
  const hasPasskey = hasWorkingPasskey(own);
  // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once, when this part is shown.
  useEffect(() => {
    isSecondFactorOn().then(setOn, (error: unknown) => setFailure(recoveryMessage(error)));
  }, []);

  const begin = () => run('begin', async () => setAsked({ kind: 'on', key: await newAppKey() }));
  const beginByPasskey = () =>
    run('passkey', async () => {
      const key = await newAppKey();
      // If no key is returned, an app is already set up. Only the app has the key, so the user must type its code.
      if (!key) return setAsked({ kind: 'on', key });
      setCodes(await switchOn(await keepAppKey(key.secret)));
      setOn(true);
    });
  const send = async (code: Code) => {
    if (asked?.kind === 'on') {
      setCodes(await switchOn(code));
      setOn(true);
      if (asked.key && hasPasskey) keepAppKey(asked.key.secret).catch(() => setFailure(passkeyText.notKept));
    } else if (asked?.kind === 'codes') {
      setCodes(await renewCodes(code, kindOf(code)));
    } else {
      await switchOff(code, kindOf(code));
      setOn(false);
    }
    setAsked(undefined);
  };

  return (
    <Section title={recoveryText.factor} help={recoveryText.factorHelp}>
      <Banner message={failure} className="mb-5 empty:hidden" />
      <p role="status" className="mb-4 min-h-6 text-base">
        {isOn !== undefined && (isOn ? recoveryText.factorOn : recoveryText.factorOff)}
        {isOn && own?.givesCodes && ` ${passkeyText.givesCodes}`}
      </p>
      {codes && <RecoveryCodes codes={codes} onKept={() => setCodes(undefined)} />}
      {asked && (
        <CodeForm
          asked={asked}
          send={send}
          givesCodes={hasPasskey && own?.givesCodes === true}
          onCancel={() => setAsked(undefined)}
        />
      )}
      {!asked && !codes && isOn === false && (
        <div className="flex flex-wrap gap-3">
          <Button tone="quiet" onClick={() => void begin()}>
            {recoveryText.switchOn}
          </Button>
          {hasPasskey && (
            <Button tone="quiet" onClick={() => void beginByPasskey()}>
              {passkeyText.factorAlone}
            </Button>
          )}
        </div>
      )}
      {!asked && !codes && isOn && (
        <div className="flex flex-wrap gap-3">
          <Button tone="quiet" onClick={() => setAsked({ kind: 'codes' })}>
            {recoveryText.newCodes}
          </Button>
          <Button tone="danger" onClick={() => setAsked({ kind: 'off' })}>
            {recoveryText.switchOff}
          </Button>
        </div>
      )}
    </Section>
  );
}

/** App codes have six digits; recovery codes are longer. */
const kindOf = (code: Code) => (typeof code !== 'string' || /^\s*(?:\d\s*){6}$/.test(code) ? 'totp' : 'recoveryCode');

interface CodeFormProps {
  readonly asked: Asked;
  /** True if a passkey can supply the code in place of the app, once the second factor is on. */
  readonly givesCodes: boolean;
  readonly send: (code: Code) => Promise<void>;
  readonly onCancel: () => void;
}

function CodeForm({ asked, givesCodes, send, onCancel }: CodeFormProps) {
  const [code, setCode] = useState('');
  const { busy, failure, run, setFailure } = useWork(
    (error) => passkeyFault(error) ?? recoveryMessage(error, recoveryText.wrongCode),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim()) void run('send', () => send(code));
    else setFailure(recoveryText.codeRequired);
  };
  return (
    <form noValidate onSubmit={onSubmit} className="grid gap-4">
      {asked.kind === 'on' && asked.key && (
        <>
          <p className="text-base">{recoveryText.scan}</p>
          <QrCode text={asked.key.uri} />
          <Field label={recoveryText.key} readOnly value={asked.key.secret} onFocus={({ target }) => target.select()} />
        </>
      )}
      <Field
        label={recoveryText.code}
        help={recoveryText.codeHelp}
        error={failure}
        inputMode={asked.kind === 'on' ? 'numeric' : 'text'}
        autoComplete="one-time-code"
        spellCheck={false}
        value={code}
        onChange={({ target }) => setCode(target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={busy !== ''}>
          {recoveryText.confirm}
        </Button>
        {givesCodes && asked.kind !== 'on' && (
          <Button
            tone="quiet"
            busy={busy !== ''}
            onClick={() => void run('send', async () => send(await passkeyCodes()))}
          >
            {passkeyText.useOne}
          </Button>
        )}
        <Button tone="quiet" onClick={onCancel}>
          {recoveryText.cancel}
        </Button>
      </div>
    </form>
  );
}

/** Always black on white, even in the dark theme, because scanners need this contrast. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg
      role="img"
      aria-label={recoveryText.qrCode}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-56 max-w-full"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={dark.join('')} />
    </svg>
  );
}

const codesFile = (codes: readonly string[]): Blob =>
  new Blob([`${recoveryText.codesOf({ site: location.host })}\n\n${codes.join('\n')}\n`], { type: 'text/plain' });

function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const [copied, setCopied] = useState(false);
  return (
    <div className="rounded-md border border-hairline p-5">
      <h3 className="text-lg">{recoveryText.codes}</h3>
      <p className="mt-1 mb-4 text-base text-soft">{recoveryText.codesHelp}</p>
      <ul className="mb-4 grid list-none grid-cols-2 gap-x-6 gap-y-1 p-0 font-mono text-base">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-3">
        <Button
          tone="quiet"
          onClick={() => void navigator.clipboard.writeText(codes.join('\n')).then(() => setCopied(true))}
        >
          {recoveryText.copyCodes}
        </Button>
        <Button tone="quiet" onClick={() => saveFile(codesFile(codes), recoveryText.codesFile)}>
          {recoveryText.saveCodes}
        </Button>
        <Button onClick={onKept}>{recoveryText.codesKept}</Button>
        <p role="status" className="text-base text-soft">
          {copied && recoveryText.codesCopied}
        </p>
      </div>
    </div>
  );
}
