/** Test support: delivery status notifications that the return path `to` receives about an email to `ANN`. */

export const ANN = 'ann.reader@elsewhere.example';

export const POSTFIX = (to: string, action = 'failed', status = '5.1.1') => `Return-Path: <>
X-Original-To: ${to}
Delivered-To: bounces@example.com
Received: by mx.example.com (Postfix)
	id 4VXyZ0Lm9z9s; Mon,  6 May 2024 12:53:20 +0000 (UTC)
From: MAILER-DAEMON@mx.example.com (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: undisclosed-recipients:;
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4VXyZ0Lm9z9s.1715000000/mx.example.com"

This is a MIME-encapsulated message.

--4VXyZ0Lm9z9s.1715000000/mx.example.com
Content-Description: Notification
Content-Type: text/plain; charset=us-ascii

<${ANN}>: host mx.elsewhere.example[192.0.2.7] said: 550 5.1.1
    <${ANN}>: Recipient address rejected (in reply to RCPT TO command)

--4VXyZ0Lm9z9s.1715000000/mx.example.com
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com
X-Postfix-Queue-ID: 4VXyZ0Lm9z9s
X-Postfix-Sender: rfc822; ${to}
Arrival-Date: Mon,  6 May 2024 12:53:19 +0000 (UTC)

Final-Recipient: rfc822; ${ANN}
Original-Recipient: rfc822;${ANN}
Action: ${action}
Status: ${status}
Remote-MTA: dns; mx.elsewhere.example
Diagnostic-Code: smtp; 550 5.1.1 <${ANN}>: Recipient address
    rejected: User unknown

--4VXyZ0Lm9z9s.1715000000/mx.example.com
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers

Subject: Ink
To: ${ANN}

--4VXyZ0Lm9z9s.1715000000/mx.example.com--
`;

export const EXIM = (to: string) => `Return-path: <>
Envelope-to: ${to}
Received: from Debian-exim by mx.example.com with local (Exim 4.96)
	id 1s3xQj-0001Ab-2C; Mon, 06 May 2024 12:53:20 +0000
X-Failed-Recipients: ${ANN}
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mx.example.com>
To: ${to}
Content-Type: multipart/report; report-type=delivery-status; boundary=1715000000-eximdsn-1804289383
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender

--1715000000-eximdsn-1804289383
Content-type: text/plain; charset=us-ascii

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error.

--1715000000-eximdsn-1804289383
Content-type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Action: failed
Final-Recipient: rfc822;${ANN}
Status: 5.0.0
Remote-MTA: dns; mx.elsewhere.example
Diagnostic-Code: smtp; 550 No such user here

--1715000000-eximdsn-1804289383
Content-type: message/rfc822

Subject: Ink

--1715000000-eximdsn-1804289383--
`;

export const GMAIL = (to: string) =>
  `Delivered-To: ${to}
Return-Path: <>
From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>
To: ${to}
Auto-Submitted: auto-replied
Subject: Delivery Status Notification (Failure)
Content-Type: multipart/report; boundary="000000000000a1b2c3061a2b3c4d"; report-type=delivery-status

--000000000000a1b2c3061a2b3c4d
Content-Type: multipart/related; boundary="000000000000a1b2d0061a2b3c4f"

--000000000000a1b2d0061a2b3c4f
Content-Type: text/plain; charset="UTF-8"

** Address not found **

--000000000000a1b2d0061a2b3c4f--
--000000000000a1b2c3061a2b3c4d
Content-Type: message/delivery-status

Reporting-MTA: dns; googlemail.com
Arrival-Date: Mon, 06 May 2024 05:53:20 -0700 (PDT)
X-Original-Message-ID: <p1@example.com>

Final-Recipient: rfc822; ${ANN}
Action: failed
Status: 5.1.1
Remote-MTA: dns; gmail-smtp-in.l.google.com. (142.250.0.27, the server for the domain.)
Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.
 550 5.1.1 https://support.google.com/mail/?p=NoSuchUser - gsmtp
Last-Attempt-Date: Mon, 06 May 2024 05:53:21 -0700 (PDT)

--000000000000a1b2c3061a2b3c4d--
`.replaceAll('\n', '\r\n');
