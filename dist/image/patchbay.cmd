@echo off
rem Starts Patchbay with the run time that came with it. Needs no Java on this machine.
rem
rem   PATCHBAY_JAVA_OPTS   more options for the JVM, separated by spaces
rem
rem Standard output belongs to the program.
setlocal DisableDelayedExpansion
for %%I in ("%~dp0..") do set "PATCHBAY_FOLDER=%%~fI"
set "PATCHBAY_ROOM="
if /i "%~1"=="serve" set "PATCHBAY_ROOM=-Xms24m -Xmn16m"
"%PATCHBAY_FOLDER%\lib\runtime\bin\java.exe" "@%PATCHBAY_FOLDER%\lib\app\jvm.options" "-XX:SharedArchiveFile=%PATCHBAY_FOLDER%\lib\app\patchbay.jsa" %PATCHBAY_ROOM% %PATCHBAY_JAVA_OPTS% -Xlog:all=off:stdout -Xlog:jfr+startup=error:stderr "-Dpatchbay.launcher=%PATCHBAY_FOLDER%\bin\patchbay.cmd" -cp "%PATCHBAY_FOLDER%\lib\app\patchbay.jar" dev.patchbay.app.Main %*
exit /b %ERRORLEVEL%
