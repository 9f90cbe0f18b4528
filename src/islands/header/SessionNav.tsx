/** The part of the header that depends on the user (spec 2, "Header navigation"). */

import { useStore } from '@nanostores/react';
import { type ComponentProps, useEffect, useState } from 'react';
import { shellText } from '#blog/messages.ts';
import { ACCOUNT, ADD_POST, ALL_POSTS, LOGIN, SIGNUP } from '#blog/routes/paths.ts';
import { Icon } from '#components/icons/Icon.tsx';
import { $auth, checkUser, followOtherTabs, logOut } from '#stores/account/auth.ts';

export function SessionNav() {
  const { checked, status } = useStore($auth);
  useEffect(() => {
    void checkUser();
    return followOtherTabs();
  }, []);

  if (checked && status) {
    return (
      <>
        <NavLink href={ALL_POSTS}>{shellText.allPosts}</NavLink>
        <NavLink href={ADD_POST}>{shellText.addPost}</NavLink>
        <NavLink href={ACCOUNT}>
          <Icon name="person" className="size-5" />
          <span>{shellText.account}</span>
        </NavLink>
        <LogoutButton />
      </>
    );
  }
  // Invisible until the user is known (base.css).
  const unseen = checked ? undefined : '';
  return (
    <>
      <NavLink href={LOGIN} data-guest={unseen}>
        {shellText.login}
      </NavLink>
      <NavLink href={SIGNUP} data-guest={unseen}>
        {shellText.signup}
      </NavLink>
    </>
  );
}

function NavLink({ children, ...rest }: ComponentProps<'a'>) {
  return (
    <a className="nav-link" aria-current={location.pathname === rest.href ? 'page' : undefined} {...rest}>
      {children}
    </a>
  );
}

function LogoutButton() {
  const [busy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const leave = async () => {
    if (busy) return;
    setBusy(true);
    setFailed(false);
    try {
      await logOut();
      location.reload();
    } catch (error) {
      console.error('Logout failed:', error);
      setBusy(false);
      setFailed(true);
    }
  };
  return (
    <>
      <button type="button" className="nav-link" aria-disabled={busy || undefined} onClick={leave}>
        {shellText.logout}
      </button>
      {hasFailed && (
        <p role="alert" className="order-last w-full text-sm">
          {shellText.logoutFailed}
        </p>
      )}
    </>
  );
}
