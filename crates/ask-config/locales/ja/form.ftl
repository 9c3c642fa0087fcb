### The page without scripts: what waits, and each ask as a form.

form-pair = この端末はまだ許可されていません。スクリプトを有効にしてこのページを開き、コンピューターで `ask-user pair` を実行してください。
form-sign-in = ここで回答するには、このブラウザーでサインインします。`ask-user web --print` を実行し、表示されたリンクを貼り付けてください。
form-link = リンク、またはそのキー
form-sign-in-button = サインイン
form-wrong-key = このキーでは開けません。使用済みか、2 分以上たっています。`ask-user web --print` をもう一度実行してください。
form-waiting = あなたを待っている質問
form-send = 送信
form-send-gaps = このまま送信
form-gaps = 送信していません。足りないか合わない箇所があります。下に示しています。
form-gap = この質問には回答が必要か、回答が質問に合っていません。
form-torn = 「いずれでもない」と選択肢の両方に印が付いています。どちらかを外してください。
form-note = この回答へのメモ
form-note-all = すべての回答へのメモ
form-back = 待っている質問へ戻る
form-again = このフォームは古いため、何も送信していません。もう一度表示します。
form-say-what = 送信していません。知りたいことを書いてください。

## What a browser is shown where there is no page, or where something didn't happen.

form-nothing-here = ここには何もありません
form-nothing-here-says = このアドレスのページはありません。
form-without-scripts = JavaScript が無効でも、簡単なフォームで同じことができます。
form-to-page = 受信箱へ
form-gone = この質問はここにありません
form-gone-says = 削除されたか、アドレスが途中で切れています。
form-other-host = ページのアドレスではありません
# $address is that of this computer, for browsers on it.
form-other-host-says = このコンピューターでは { $address } です。スマートフォンでは `ask-user pair` が表示するアドレスを使います。
form-other-site = 別のサイトからここに来ました
form-other-site-says = 別のサイトのためには何も開かず、何も送信しません。ここから自分で進んでください:
form-only-sees = この端末は見るだけです
form-only-sees-says = 何も送信されていません。コンピューターで回答するか、回答できる端末としてもう一度許可してください。
form-shut-out = 現在、端末は許可されていません
form-shut-out-says = 何も送信されていません。コンピューターで「ask-user pair」を実行するか、ページの設定で有効にしてください。この端末に新しいコードは不要です。
form-too-much = 多すぎます
form-too-much-says = 何も送信されていません。戻って、一度に送る量を減らしてください。
form-not-taken = 受け付けられませんでした
form-not-taken-says = 何も送信されていません。戻って、もう一度試してください。
form-no-hub = 今はできません
form-no-hub-says = 戻って、少ししてからもう一度試してください。`ask-user doctor` で原因がわかります。
form-kept-meanwhile = 何も送信されていません: このブラウザーはサインインしていません。入力した内容はそれまで残ります。
form-signed-in = サインインしました。まだ何も送信されていません: もう一度確認して送信してください。
form-yours = 入力していた内容
form-overheard = 暗号化されていません。同じネットワークの誰でも、内容を読み、あなたの代わりに操作できます。
form-only-sees-asks = この機器は質問の閲覧のみです。コンピューターで回答するか、回答できるように改めて許可してください。
