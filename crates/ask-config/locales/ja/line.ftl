### The line mode. Prompts end with a colon; a space is put behind them.

line-renumbered = 一覧が変わったところです。番号をもう一度入力してください。
line-no-longer-asked = この質問は終了しました。
line-none-waits = 待っている質問はありません。
line-none-yet = 待っている質問はありません。新しい質問はここに表示します。
line-waiting = 待っている質問が{ $count }件あります:
line-put-aside = 後回しにした質問が{ $count }件あります:
line-late = 遅れた質問が{ $count }件あります。エージェントは待機を終了し、回答は再び質問されるまで保存されます:
line-kept = エージェントが受け取るまで保存中の回答が{ $count }件あります:
line-sent = 送信中の回答が{ $count }件あります:
line-fit = 「{ $text }」を含むものだけです。/ だけで全部に戻ります。
line-none-fit = 「{ $text }」を含む質問はありません。/ だけで全部に戻ります。
line-row = { $number }. { $ask }
line-ask = { $who }、{ $place }、{ $ago }: { $title }
line-ask-anywhere = { $who }、{ $ago }: { $title }
line-ask-aside = { $ask } ({ $time } まで後回し)
line-ask-aside-asked = { $ask } (再び質問されるまで後回し)
line-ask-due = { $ask } (期限まで{ $in })
line-new = 新着: { $ask }
line-back = 再び待機中: { $ask }
line-which = 開く質問の番号、? ヘルプ、q 終了:
line-which-none = ? ヘルプ、q 終了:
line-unclear-list = { $count ->
    [0] 認識できません。一覧に質問はありません。? でヘルプ、q で終了。
   *[other] 認識できません。質問を開くには 1 から { $count } の番号を入力してください。? でヘルプ、q で終了。
}
line-aside-which = s、質問の番号、期間または時刻を入力してください: s 2 15m。
line-aside-none = エージェントは待っていないため、後回しにするものはありません。
line-past-row = { $number }. { $ask } ({ $how })
line-prompt-past = 読む番号、m 続き、h と語で検索、Enter で一覧に戻る:
line-unclear-past = 認識できません。1 から { $count } の番号、m、h と語、または空行で戻ります。
line-seen = Enter で次へ:
line-go-on = next と入力して Enter で次へ、q で終了:
line-not-taken = 送信していません: { $text }
line-words-yes = y yes はい
line-words-no = n no いいえ

line-now = たった今
line-minutes-ago = { $count }分前
line-hours-ago = { $count }時間前
line-days-ago = { $count }日前
line-at-today = { $time }
line-at-tomorrow = 明日 { $time }
line-at-day = { $date } { $time }
line-in-seconds = あと{ $count }秒
line-in-minutes = あと{ $count }分
line-in-hours = あと{ $count }時間
line-in-days = あと{ $count }日

line-asked = { $who } からの質問、{ $ago }。
line-asked-project = { $who } からの質問、{ $project }、{ $ago }。
line-asked-branch = { $who } からの質問、ブランチ { $branch }、{ $ago }。
line-asked-project-branch = { $who } からの質問、{ $project }、ブランチ { $branch }、{ $ago }。
line-due = 期限まで{ $in }です。
line-time-passed = エージェントの制限時間が過ぎました。回答は再び質問されるまで保存されます。
line-agent-back = エージェントが再び待っています。
line-context = 背景: { $text }
line-context-more = 続きがあります。i で全{ $count }行を表示します。
line-context-none = これ以上はありません。
line-quote = 引用: { $text }
line-cell = { $name }: { $text }
line-item-done = { $mark } 完了: { $text }
line-item-open = { $mark } 未完了: { $text }

line-question = 質問 { $number }/{ $count }。
line-question-label = 質問 { $number }/{ $count }、{ $label }。
line-question-optional = 質問 { $number }/{ $count }、任意。
line-question-label-optional = 質問 { $number }/{ $count }、{ $label }、任意。
line-example = 例: { $text }
line-option = { $number }. { $label }。
line-option-recommended = { $number }. { $label }、推奨。
line-option-described = { $option } { $description }。
line-option-described-whole = { $option } { $description }
line-option-preview = { $option } プレビューあり、p{ $number } で表示。
line-option-own = 0. 自由に回答する。
line-options-more = あと{ $count }件: m で続き、/ と語で検索。
line-options-no-more = これで全部です。
line-found = 「{ $word }」を含む選択肢は{ $count }件です:
line-found-none = 「{ $word }」を含む選択肢はありません。
line-preview-none = p とプレビューのある選択肢の番号を入力してください。
line-so-far = これまでの回答: { $answer }
line-note-so-far = メモ: { $note }
line-note-none = メモはありません。
line-note-all-so-far = 全回答へのメモ: { $note }
line-note-all-none = 全回答へのメモはありません。

line-prompt-text = 回答、空行で終了 (/q 離れる、/x 辞退、/c 文 聞き返す、/? ヘルプ):
line-prompt-confirm = 選択 (y、n、0、q 離れる、x 辞退、? ヘルプ):
line-prompt-confirm-several = 選択 (y、n、0、b 戻る、q 離れる、x 辞退、? ヘルプ):
line-prompt-one = 選択 (番号、0、q 離れる、x 辞退、? ヘルプ):
line-prompt-one-several = 選択 (番号、0、b 戻る、q 離れる、x 辞退、? ヘルプ):
line-prompt-many = 選択 (番号を 1 3 のように、0、q 離れる、x 辞退、? ヘルプ):
line-prompt-many-several = 選択 (番号を 1 3 のように、0、b 戻る、q 離れる、x 辞退、? ヘルプ):
line-prompt-own = 自由回答、空行で終了:
line-prompt-own-again = 自由回答、空行で終了。空行だけなら取り消し:
line-prompt-on = 回答の続きをどうぞ。空行で終了:
line-prompt-path = ファイルのパス。空行で戻る:
line-prompt-note = この回答へのメモ (1行)。空ならそのまま、- で削除:
line-prompt-note-all = 全回答へのメモ (1行)。空ならそのまま、- で削除:
line-prompt-reason = 理由は? 1行、空なら理由なし:
line-prompt-none = 未選択です。もう一度 Enter で「いずれでもない」、または選択:
line-prompt-none-several = 未選択です。もう一度 Enter で「いずれでもない」、s でスキップ、または選択:
line-prompt-long = 回答が長いです ({ $count }文字)。続けますか? [Y/n]
line-prompt-decline = 理由なしで辞退しますか? y/n:
line-prompt-decline-reason = 理由「{ $text }」で辞退しますか? y/n:
line-prompt-ask-back = 回答の代わりに「{ $text }」と聞き返しますか? y/n:
line-prompt-send = 送信しますか? y、n、または変更する番号 (? ヘルプ):
line-prompt-send-late = 遅れた回答として保存しますか? y、n、または変更する番号 (? ヘルプ):
line-prompt-send-one = 送信しますか? y、b 変更、q 離れる、? ヘルプ:
line-prompt-send-one-late = 遅れた回答として保存しますか? y、b 変更、q 離れる、? ヘルプ:
line-prompt-unsent = 未送信です。番号で回答を変更、y で送信、q で離れる:
line-prompt-unsent-one = 未送信です。b で変更、y で送信、q で離れる:

line-unclear-text = 認識できません。回答を入力してください。/? でヘルプ。
line-unclear-command = /{ $word } というコマンドはありません。/? で一覧を表示します。回答に書くには、前に空白を入れてください。
line-unclear-confirm = 認識できません。y、n、または自由回答の 0 を入力してください。? でヘルプ。
line-unclear-one = 認識できません。1 から { $count } の番号を1つ、または自由回答の 0 を入力してください。? でヘルプ。
line-unclear-many = 認識できません。1 から { $count } の番号を 1 3 のように、または自由回答の 0 を入力してください。? でヘルプ。
line-unclear-review = 認識できません。y で送信、n で送信しない、番号でその回答を変更します。? でヘルプ。
line-unclear-review-one = 認識できません。y で送信、b で回答を変更、q で離れます。? でヘルプ。
line-letter-taken = { $letter } だけではコマンドになります。回答するには語全体か、y または n を入力してください。
line-ask-back-how = { $slash }c と聞きたいことを1行で入力してください。
line-no-own = 自由回答なし。
line-own-off = 自由回答を取り消しました。
line-cut = 端末が受け取る1行は4,095バイトまでで、それを超えた入力は失われました。長い回答は複数の行に分けるか、エディターで書いてください: { $slash }e
line-left-out = 回答が長すぎます。最後の{ $count }文字は含まれません。
line-needed = 回答が必要です。{ $slash }x で辞退、{ $slash }q で保留します。
line-recommended-none = ここには推奨がありません。
line-aside-how = { $slash }s と期間または時刻を入力してください: { $slash }s 15m、{ $slash }s 2h、{ $slash }s 14:30、{ $slash }s tomorrow、{ $slash }s asked-again。
line-aside = { $title }: { $time } まで後回しにしました。
line-aside-asked = { $title }: 再び質問されるまで後回しにしました。
line-deadline-none = 期限はありません。回答を待っています。
line-more-time = 時間を延ばしました。期限まで{ $in }、{ $at } までです。
line-more-typing = 入力中のため時間を延ばしました。期限まで{ $in }、{ $at } までです。
line-more-none = これ以上は延ばせません。期限まで{ $in }、{ $at } までです。
line-more-how = { $slash }+ だけ、または { $slash }+ と延ばす時間を入力してください: { $slash }+ 10m。
line-editor-none = エディターにはターミナルが必要です。回答を入力してください。
line-earlier = o{ $number }. { $answer }
line-earlier-which = { $slash }o で以前の回答を一覧、{ $slash }o と番号でもう一度使います。
line-earlier-answer-how = { $slash }u でその回答を入力します。まだ送信はしません。
line-attach-where = ファイルは1つの回答に付けます。先に番号を入力してから添付してください。
line-attached = 添付しました: { $file }。
line-attached-none = ここに添付ファイルはありません。
line-detached = 外しました: { $file }。
line-file = @{ $number }. { $file }
line-files-more = 他に { $count } 件あります。文字を足してください。
line-files-none = 該当するファイルはありません。
line-files-how = ファイルを示す所に @ と番号を入力します。例: @1 を参照。
line-files-named = ファイル入り: { $text }
line-files-nowhere = どのフォルダーからの質問か分からないため、読み上げるファイルがありません。

line-help =
    番号で選択、0 で自由回答。空行で回答をそのままにするかスキップします。
    複数選べる質問では 1 3 のように番号で選択、- で選択を解除、0 で自由回答を加えます。
    b で戻る、q で下書きを残して離れる、x で辞退、x と文でその理由を添えて辞退、
    c と質問でエージェントに聞き返す、a で質問をもう一度読みます。
    n と文でこの回答に、N と文で全回答にメモを付けます。
    r で推奨を選択、R で未回答の質問すべてに推奨を選びます。
    u で、少し前に同じ質問に答えた回答を入力します。
    i で背景をすべて、p と番号で選択肢のプレビューを表示、
    m で選択肢の続き、/ と語で検索。e で自由回答をエディターで書き、
    o で以前の回答を読みます。
    s で質問を後回し (s 15m、s 14:30、s tomorrow)、+ で時間を延ばします (+ 10m)。
    f とパスでファイルを添付、v でコピーした画像かファイルを添付、f - で最後の1件を外します。
    @ と文字でプロジェクトのファイルを表示し、@ と番号で回答の中に示します。
line-help-text =
    入力した文が回答です。空行で終了し、任意の質問ならスキップします。
    コマンドはスラッシュで始めます: /b で戻る、/q で下書きを残して離れる、
    /x で辞退、/x と文でその理由を添えて辞退、/c と質問でエージェントに聞き返す、/a で質問をもう一度読む。
    /n と文でこの回答に、/N と文で全回答にメモを付けます。
    /R で未回答の質問すべてに推奨を選びます。
    /u で、少し前に同じ質問に答えた回答を入力します。
    /i で背景をすべて表示、/e で回答をエディターで書き、/o で以前の回答を読みます。
    /s で質問を後回し (/s 15m、/s 14:30、/s tomorrow)、/+ で時間を延ばします (/+ 10m)。
    /f とパスでファイルを添付、/v でコピーした画像かファイルを添付、/f - で最後の1件を外します。
    /@ と文字でプロジェクトのファイルを表示し、@ と番号で回答の中に示します。
    スラッシュと語で始まる行を回答に書くには、スラッシュの前に空白を入れます。
line-help-review =
    y で送信、n で送信しません。番号でその回答を変更、b で最後の質問に戻ります。
    q で下書きを残して離れる、x で辞退、x と文でその理由を添えて辞退、
    c と質問でエージェントに聞き返す、a で回答をもう一度読みます。
    n と文で全回答にメモを付けます。R で未回答の質問すべてに推奨を選びます。
    u で、少し前に同じ質問に答えた回答を入力します。
    i で背景をすべて表示。s で質問を後回し (s 15m、s 14:30、s tomorrow)、
    + で時間を延ばします (+ 10m)。
line-help-list =
    番号で質問を開きます。q で終了。空行で一覧をもう一度読みます。
    s と番号と期間で質問を後回し (s 2 15m、s 2 tomorrow)、s と番号で戻します。
    x と番号で質問を辞退、続けて文を書くと理由になります。送信前に確認します。
    u で最後に送った回答を、u と番号でその質問の回答を、エージェントが受け取る前なら取り消せます。
    / と語でそれを含む質問だけに絞り、/ だけで全部に戻ります。
    h で終わったものを読み、h と語で検索します。S で統計を読みます。
    m で通知を止め、もう一度で再開します。

line-review = あなたの回答:
line-review-row = { $number }. { $question }: { $answer }
line-review-note = 全回答へのメモ: { $note }
line-noted = { $answer } (メモ: { $note })
line-unanswered = 未回答
line-unanswered-optional = 未回答、任意
line-missing = 未回答の質問が{ $count }件あります。必須: { $names }。
line-said = 回答: { $answer }
line-left-waiting = 保留しました。下書きは残っています。
line-left-unsaved = 保留しました。入力した内容は保存されていません。
line-nothing-sent = 何も送信していません。
line-not-sent = 未送信: { $problem }.
line-not-sent-try = 未送信: { $problem }. 回答はここに残っています。再度お試しを。
line-unsent = 入力していた内容:
