### What a browser is shown where the page can't run, or where there is no page.

page-nothing-here = ここには何もありません
page-nothing-here-says = このアドレスのページはありません。
page-without-scripts = JavaScript が無効なときは、ターミナルで `ask-user` を実行して回答してください。
page-to-inbox = 受信箱へ
page-other-host = ページのアドレスではありません
# $address is that of this computer, for browsers on it.
page-other-host-says = このコンピューターでは { $address } です。スマートフォンでは `ask-user pair` が表示するアドレスを使います。
page-other-site = 別のサイトからここに来ました
page-other-site-says = 別のサイトのためには何も開かず、何も送信しません。ここから自分で進んでください:
page-shut-out = 現在、端末は許可されていません
page-shut-out-says = 何も送信されていません。コンピューターで「ask-user pair」を実行するか、ページの設定で有効にしてください。この端末に新しいコードは不要です。
